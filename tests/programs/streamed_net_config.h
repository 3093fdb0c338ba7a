/* Hooks of streams under test (NET_CONFIG). */
void disturb(unsigned step);
#define NET_BEFORE(step, op, node, user) disturb(step)
