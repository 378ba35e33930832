/* group_node.h: what a script of a game engine can do with a group, told in tables, so that each engine's part only carries values over.
 *
 * One thread: the one that calls; the library's own never comes here. Nothing here calls back but `emit`, inside group_node_poll and the methods. */
#ifndef GROUP_NODE_H
#define GROUP_NODE_H

#include <stddef.h>
#include <stdint.h>

typedef enum value_kind { VALUE_NONE, VALUE_BOOL, VALUE_INT, VALUE_REAL, VALUE_TEXT, VALUE_BYTES } value_kind;

/* Text and bytes are views: of an argument until the method returns, of a result or a signal until the node is used again. */
typedef struct value {
  value_kind kind;
  int64_t integer; /* BOOL, INT */
  double real;
  const char *text; /* TEXT: UTF-8, with a final NUL; BYTES: `length` of them */
  size_t length;
} value;

typedef struct group_node group_node;
typedef void (*emit_fn)(void *engine, int signal, const value *values);

enum { MOST_ARGUMENTS = 3 };

typedef struct named_kind {
  const char *name;
  value_kind kind;
} named_kind;

typedef struct group_method {
  const char *name;
  value (*call)(group_node *node, const value *arguments);
  value_kind result;
  int count;
  named_kind arguments[MOST_ARGUMENTS];
} group_method;

typedef struct group_signal {
  const char *name;
  int count;
  named_kind arguments[MOST_ARGUMENTS];
} group_signal;

extern const group_method group_methods[];
extern const int group_method_count;
extern const group_signal group_signals[];
extern const int group_signal_count;

/* NULL: no memory, or the library is another one. emit: what a signal is given to, with `engine`. */
group_node *group_node_new(emit_fn emit, void *engine);
void group_node_free(group_node *node);

#endif
