/* pcp.h: a port from a router by the Port Control Protocol (RFC 6887), IPv4. Own code, as no library of the distribution speaks it. */
#ifndef PCP_H
#define PCP_H

typedef enum {
  PCP_OPEN,
  PCP_NO_ROUTER,
  PCP_SILENT,       /* nothing answers there */
  PCP_OTHER,        /* what answers is of another version, or broken */
  PCP_REFUSED,
  PCP_TAKEN,        /* no port left, or not this one */
  PCP_DISCONNECTED, /* the router itself */
  PCP_BEHIND        /* another router is in between */
} pcp_status;

typedef struct {
  char address[64];
  unsigned port, seconds;
} pcp_mapping;

/* Has what comes to a port of the router sent to `port` of this machine, `protocol` being IPPROTO_TCP or IPPROTO_UDP, for so many seconds; 0
 * gives it back. `wanted`: at the router, which may give another one. It waits up to 1.8 s. */
pcp_status pcp_map(int protocol, unsigned port, unsigned wanted, unsigned seconds, pcp_mapping *mapping);

/* The router's own address. */
pcp_status pcp_address(pcp_mapping *mapping);

const char *pcp_words(pcp_status status);

#endif
