// mallinfo2: what the heap has given out.
#include <malloc.h>
