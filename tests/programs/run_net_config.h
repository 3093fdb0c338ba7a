/* Hooks of programs under test (NET_CONFIG). */
void poison_freed(unsigned step);
#define NET_AFTER(step, op, node, user) poison_freed(step)
