NEVER = {}
def unsaid(root, schema): return []
def rule_of(planned, field, obj, key, old, new): return None
