/* unisono-port: asks the router at home for a port, keeps it for as long as its owner lives, and gives it back.
 *
 *   unisono-port --look          asks for the router's own address alone, and ends
 *   unisono-port [--lease S] N   has TCP and UDP of port N let in, until its input ends or SIGTERM, SIGINT or SIGHUP comes
 *
 * With --descriptor D it reads and writes there instead of its input and output. It writes lines of words:
 *
 *   address WAY A              the router's own address is A; WAY is nat-pmp, pcp or upnp
 *   open WAY A P tcp+udp S     whoever sends to port P of A reaches us, for S more seconds (0: until it is given back); "tcp": by TCP alone
 *   none WORDS                 no router gives a port, and why
 *   lost WORDS                 the port could not be kept; it is asked for again
 *   closed                     the port was given back
 *
 * A process of its own, because the libraries wait inside their calls, and because the port is given back then also when whoever
 * asked for it is killed. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <miniupnpc/miniupnpc.h>
#include <miniupnpc/upnpcommands.h>
#include <miniupnpc/upnperrors.h>
#include <natpmp.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

#include "pcp.h"

enum {
  NATPMP_PATIENCE = 1800, /* ms: three tries, after 250, 500 and 1,000 */
  UPNP_PATIENCE = 1500,   /* ms, for routers to answer */
  LEASE = 3600,           /* s */
  SHORTEST = 2,           /* s between two renewals, whatever a router says */
  AGAIN = 30,             /* s until a port that was lost is asked for again */
  TRIES = 4               /* ports that are tried where the wanted one is somebody's */
};

static const char *const NAME = "Unisono";

typedef enum { NO_WAY, NATPMP, PCP, UPNP } way_t;

typedef struct {
  way_t way;
  char address[64];
  unsigned port;      /* at the router */
  int has_udp;
  unsigned seconds;   /* 0: until it is given back */
} opening_t;

typedef struct {
  struct UPNPUrls urls;
  struct IGDdatas data;
  char own[64]; /* this machine's address, as the router sees it */
} igd_t;

static int descriptor = STDOUT_FILENO;

static void say(const char *format, ...) {
  char line[512];
  va_list arguments;
  va_start(arguments, format);
  int length = vsnprintf(line, sizeof line - 1, format, arguments);
  va_end(arguments);
  if (length < 0) return;
  if (length > (int)sizeof line - 2) length = sizeof line - 2;
  for (int place = 0; place < length; place++)
    if ((unsigned char)line[place] < 0x20) line[place] = ' ';
  line[length] = '\n';
  /* Whoever is gone reads nothing. */
  (void)!write(descriptor, line, (size_t)length + 1);
}

static const char *name_of(way_t way) { return way == NATPMP ? "nat-pmp" : way == PCP ? "pcp" : "upnp"; }

static long long now_ms(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000LL + time.tv_nsec / 1000000;
}

static int is_address(const char *text) {
  struct in_addr address;
  return inet_pton(AF_INET, text, &address) == 1 && address.s_addr != 0;
}

/* --- NAT-PMP ---------------------------------------------------------------------------------------------------------- */

/* The answer to what was asked last; 0, or a code of the library, NATPMP_TRYAGAIN where none came in time. */
static int natpmp_answer(natpmp_t *natpmp, natpmpresp_t *answer, uint16_t type) {
  long long until = now_ms() + NATPMP_PATIENCE;
  for (;;) {
    struct timeval wait;
    if (getnatpmprequesttimeout(natpmp, &wait) < 0) return NATPMP_ERR_UNDEFINEDERROR;
    long long ms = wait.tv_sec * 1000LL + wait.tv_usec / 1000, rest = until - now_ms();
    if (rest <= 0) return NATPMP_TRYAGAIN;
    struct pollfd entry = {.fd = natpmp->s, .events = POLLIN};
    poll(&entry, 1, (int)(ms < 0 ? 0 : ms < rest ? ms + 1 : rest));
    int status = readnatpmpresponseorretry(natpmp, answer);
    if (status == 0 && answer->type == type) return 0;
    if (status != 0 && status != NATPMP_TRYAGAIN) return status;
  }
}

static const char *natpmp_words(int status) {
  switch (status) {
    case NATPMP_ERR_CANNOTGETGATEWAY: return "there is no router";
    case NATPMP_TRYAGAIN: case NATPMP_ERR_NOGATEWAYSUPPORT: case NATPMP_ERR_RECVFROM: return "the router does not answer";
    case NATPMP_ERR_NOTAUTHORIZED: return "the router refuses";
    case NATPMP_ERR_NETWORKFAILURE: return "the router is not connected itself";
    case NATPMP_ERR_OUTOFRESOURCES: return "the router has no port left";
    default: return "the router answers something else";
  }
}

static int natpmp_address(natpmp_t *natpmp, opening_t *opening) {
  natpmpresp_t answer;
  if (sendpublicaddressrequest(natpmp) < 0) return NATPMP_ERR_SENDERR;
  int status = natpmp_answer(natpmp, &answer, NATPMP_RESPTYPE_PUBLICADDRESS);
  if (status != 0) return status;
  inet_ntop(AF_INET, &answer.pnu.publicaddress.addr, opening->address, sizeof opening->address);
  return is_address(opening->address) ? 0 : NATPMP_ERR_NETWORKFAILURE;
}

/* seconds 0: gives it back. */
static int natpmp_map(natpmp_t *natpmp, int protocol, unsigned port, unsigned wanted, unsigned seconds, natpmpresp_t *answer) {
  if (sendnewportmappingrequest(natpmp, protocol, (uint16_t)port, (uint16_t)wanted, seconds) < 0) return NATPMP_ERR_SENDERR;
  return natpmp_answer(
    natpmp, answer, protocol == NATPMP_PROTOCOL_TCP ? NATPMP_RESPTYPE_TCPPORTMAPPING : NATPMP_RESPTYPE_UDPPORTMAPPING);
}

/* port 0: the address alone. */
static int natpmp_open(unsigned port, unsigned seconds, opening_t *opening) {
  natpmp_t natpmp;
  natpmpresp_t answer;
  int status = initnatpmp(&natpmp, 0, 0);
  if (status < 0) return status;
  status = natpmp_address(&natpmp, opening);
  if (status == 0 && port != 0) {
    status = natpmp_map(&natpmp, NATPMP_PROTOCOL_TCP, port, opening->port ? opening->port : port, seconds, &answer);
    if (status == 0) {
      opening->port = answer.pnu.newportmapping.mappedpublicport;
      opening->seconds = answer.pnu.newportmapping.lifetime;
      if (opening->port == 0 || opening->seconds == 0) status = NATPMP_ERR_OUTOFRESOURCES;
    }
    /* A hub's UDP port has the number that it has here: under another one nobody would look for it. */
    opening->has_udp = 0;
    if (status == 0 && natpmp_map(&natpmp, NATPMP_PROTOCOL_UDP, port, port, seconds, &answer) == 0) {
      opening->has_udp = answer.pnu.newportmapping.mappedpublicport == port;
      if (!opening->has_udp) natpmp_map(&natpmp, NATPMP_PROTOCOL_UDP, port, 0, 0, &answer);
    }
  }
  closenatpmp(&natpmp);
  opening->way = NATPMP;
  return status;
}

static void natpmp_close(unsigned port) {
  natpmp_t natpmp;
  natpmpresp_t answer;
  if (initnatpmp(&natpmp, 0, 0) < 0) return;
  natpmp_map(&natpmp, NATPMP_PROTOCOL_TCP, port, 0, 0, &answer);
  natpmp_map(&natpmp, NATPMP_PROTOCOL_UDP, port, 0, 0, &answer);
  closenatpmp(&natpmp);
}

/* --- PCP -------------------------------------------------------------------------------------------------------------- */

/* port 0: the address alone. */
static pcp_status pcp_open(unsigned port, unsigned seconds, opening_t *opening) {
  pcp_mapping mapping;
  opening->way = PCP;
  pcp_status status =
    port == 0 ? pcp_address(&mapping) : pcp_map(IPPROTO_TCP, port, opening->port ? opening->port : port, seconds, &mapping);
  if (status != PCP_OPEN) return status;
  snprintf(opening->address, sizeof opening->address, "%s", mapping.address);
  if (port == 0) return status;
  opening->port = mapping.port;
  opening->seconds = mapping.seconds;
  /* A hub's UDP port has the number that it has here: under another one nobody would look for it. */
  int is_mapped = pcp_map(IPPROTO_UDP, port, port, seconds, &mapping) == PCP_OPEN;
  opening->has_udp = is_mapped && mapping.port == port;
  if (is_mapped && !opening->has_udp) pcp_map(IPPROTO_UDP, port, 0, 0, &mapping);
  return status;
}

static void pcp_close(unsigned port) {
  pcp_mapping none;
  pcp_map(IPPROTO_TCP, port, 0, 0, &none);
  pcp_map(IPPROTO_UDP, port, 0, 0, &none);
}

/* --- UPnP ------------------------------------------------------------------------------------------------------------- */

static int upnp_find(igd_t *igd) {
  int status = 0;
  struct UPNPDev *found = upnpDiscover(UPNP_PATIENCE, NULL, NULL, UPNP_LOCAL_PORT_ANY, 0, 2, &status);
  if (found == NULL) return 0;
  memset(igd, 0, sizeof *igd);
#if MINIUPNPC_API_VERSION >= 18
  char outside[64];
  status = UPNP_GetValidIGD(found, &igd->urls, &igd->data, igd->own, sizeof igd->own, outside, sizeof outside);
#else
  status = UPNP_GetValidIGD(found, &igd->urls, &igd->data, igd->own, sizeof igd->own);
#endif
  freeUPNPDevlist(found);
  /* 1: a router that is connected; since version 18, 2 is one whose address is private. */
  if (status == 1 || (MINIUPNPC_API_VERSION >= 18 && status == 2)) return 1;
  if (status > 0) FreeUPNPUrls(&igd->urls);
  return 0;
}

static int upnp_map(const igd_t *igd, const char *protocol, unsigned port, unsigned wanted, unsigned *seconds) {
  char inner[8], outer[8], lease[16];
  snprintf(inner, sizeof inner, "%u", port);
  snprintf(outer, sizeof outer, "%u", wanted);
  snprintf(lease, sizeof lease, "%u", *seconds);
  int status = UPNP_AddPortMapping(
    igd->urls.controlURL, igd->data.first.servicetype, outer, inner, igd->own, NAME, protocol, NULL, lease);
  /* 725: it knows no leases; then the port has to be given back. */
  if (status == 725) {
    status = UPNP_AddPortMapping(igd->urls.controlURL, igd->data.first.servicetype, outer, inner, igd->own, NAME, protocol, NULL, "0");
    if (status == 0) *seconds = 0;
  }
  return status;
}

/* port 0: the address alone. NULL: it is open; else why not. */
static const char *upnp_open(unsigned port, unsigned seconds, opening_t *opening) {
  igd_t igd;
  if (!upnp_find(&igd)) return "no router answers";
  const char *fault = NULL;
  if (UPNP_GetExternalIPAddress(igd.urls.controlURL, igd.data.first.servicetype, opening->address) != 0
      || !is_address(opening->address)) {
    fault = "the router does not say its address";
  } else if (port != 0) {
    int status = -1;
    unsigned wanted = opening->port ? opening->port : port;
    opening->seconds = seconds;
    for (int tried = 0; tried < TRIES && status != 0; tried++) {
      /* 718: somebody else has it. */
      if (tried > 0) wanted = 49152 + (unsigned)(now_ms() * 7919 % 16384);
      status = upnp_map(&igd, "TCP", port, wanted, &opening->seconds);
      if (status != 0 && status != 718) break;
    }
    if (status != 0) {
      fault = strupnperror(status);
      if (fault == NULL) fault = "the router refuses";
    } else {
      opening->port = wanted;
      unsigned udp_seconds = seconds;
      opening->has_udp = upnp_map(&igd, "UDP", port, port, &udp_seconds) == 0;
    }
  }
  FreeUPNPUrls(&igd.urls);
  opening->way = UPNP;
  return fault;
}

static void upnp_close(unsigned port, const opening_t *opening) {
  igd_t igd;
  char outer[8], inner[8];
  if (!upnp_find(&igd)) return;
  snprintf(outer, sizeof outer, "%u", opening->port);
  snprintf(inner, sizeof inner, "%u", port);
  UPNP_DeletePortMapping(igd.urls.controlURL, igd.data.first.servicetype, outer, "TCP", NULL);
  if (opening->has_udp) UPNP_DeletePortMapping(igd.urls.controlURL, igd.data.first.servicetype, inner, "UDP", NULL);
  FreeUPNPUrls(&igd.urls);
}

/* --- All ways ---------------------------------------------------------------------------------------------------------- */

/* Asks on the way that did before, else on each in turn; an empty text: it is open. */
static void open_port(unsigned port, unsigned seconds, opening_t *opening, char *fault, size_t room) {
  way_t before = opening->port != 0 ? opening->way : NO_WAY;
  int by_natpmp = NATPMP_TRYAGAIN;
  pcp_status by_pcp = PCP_SILENT;
  fault[0] = 0;
  if (before == NO_WAY || before == NATPMP) {
    by_natpmp = natpmp_open(port, seconds, opening);
    if (by_natpmp == 0) return;
  }
  if (before == NO_WAY || before == PCP) {
    by_pcp = pcp_open(port, seconds, opening);
    if (by_pcp == PCP_OPEN) return;
  }
  if (before == NATPMP || before == PCP) {
    opening->way = before;
    snprintf(fault, room, "%s", before == NATPMP ? natpmp_words(by_natpmp) : pcp_words(by_pcp));
    return;
  }
  const char *by_upnp = upnp_open(port, seconds, opening);
  if (by_upnp == NULL) return;
  opening->way = before;
  if (before == UPNP) snprintf(fault, room, "%s", by_upnp);
  else snprintf(fault, room, "NAT-PMP: %s; PCP: %s; UPnP: %s", natpmp_words(by_natpmp), pcp_words(by_pcp), by_upnp);
}

static void tell(const opening_t *opening) {
  say("open %s %s %u %s %u", name_of(opening->way), opening->address, opening->port, opening->has_udp ? "tcp+udp" : "tcp",
      opening->seconds);
}

/* For so long, -1: without end, or until the owner is gone or a signal came: 0 then. */
static int wait_for(int input, int signals, long long ms) {
  long long until = now_ms() + ms;
  for (;;) {
    long long rest = ms < 0 ? -1 : until - now_ms();
    if (ms >= 0 && rest <= 0) return 1;
    struct pollfd entries[2] = {{.fd = input, .events = POLLIN}, {.fd = signals, .events = POLLIN}};
    if (poll(entries, 2, (int)rest) <= 0) continue;
    if (entries[1].revents) return 0;
    if (entries[0].revents) {
      char bytes[64];
      ssize_t count = read(input, bytes, sizeof bytes);
      if (count == 0 || (count < 0 && errno != EINTR && errno != EAGAIN)) return 0;
    }
  }
}

static int keep(unsigned port, unsigned seconds, int input, int signals) {
  opening_t opening = {0};
  char fault[256];
  open_port(port, seconds, &opening, fault, sizeof fault);
  if (fault[0]) {
    say("none %s", fault);
    return 1;
  }
  opening_t told = opening;
  int is_lost = 0;
  tell(&opening);
  for (;;) {
    long long half = opening.seconds / 2 < SHORTEST ? SHORTEST : opening.seconds / 2;
    long long pause = is_lost ? AGAIN : half;
    if (!wait_for(input, signals, opening.seconds == 0 && !is_lost ? -1 : pause * 1000)) break;
    opening_t renewed = opening;
    open_port(port, seconds, &renewed, fault, sizeof fault);
    if (fault[0]) {
      if (!is_lost) say("lost %s", fault);
      is_lost = 1;
      continue;
    }
    opening = renewed;
    if (is_lost || strcmp(told.address, opening.address) != 0 || told.port != opening.port || told.has_udp != opening.has_udp) {
      told = opening;
      tell(&opening);
    }
    is_lost = 0;
  }
  if (opening.way == NATPMP) natpmp_close(port);
  else if (opening.way == PCP) pcp_close(port);
  else upnp_close(port, &opening);
  say("closed");
  return 0;
}

static unsigned number(const char *text, unsigned long least, unsigned long most) {
  char *end = NULL;
  unsigned long value = text == NULL ? 0 : strtoul(text, &end, 10);
  if (end == NULL || end == text || *end != 0 || value < least || value > most) {
    fprintf(stderr, "usage: unisono-port [--descriptor D] --look | [--descriptor D] [--lease SECONDS] PORT\n");
    exit(64);
  }
  return (unsigned)value;
}

int main(int count, char **words) {
  int input = STDIN_FILENO, looks = 0, place = 1;
  unsigned seconds = LEASE;
  for (; place < count && strncmp(words[place], "--", 2) == 0; place++) {
    if (strcmp(words[place], "--look") == 0) {
      looks = 1;
    } else if (strcmp(words[place], "--descriptor") == 0 && place + 1 < count) {
      input = descriptor = (int)number(words[++place], 0, 1023);
    } else if (strcmp(words[place], "--lease") == 0 && place + 1 < count) {
      seconds = number(words[++place], 1, 86400);
    } else {
      number(NULL, 0, 0);
    }
  }
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGTERM);
  sigaddset(&set, SIGINT);
  sigaddset(&set, SIGHUP);
  sigprocmask(SIG_BLOCK, &set, NULL);
  signal(SIGPIPE, SIG_IGN);
  int is_whole = looks ? place == count : place + 1 == count;
  unsigned port = looks && is_whole ? 0 : number(is_whole ? words[place] : NULL, 1, 65535);
  /* miniupnpc writes there what it also returns. */
  if (freopen("/dev/null", "w", stderr) == NULL) return 1;
  if (looks) {
    opening_t opening = {0};
    char fault[256];
    open_port(0, 0, &opening, fault, sizeof fault);
    if (fault[0]) say("none %s", fault); else say("address %s %s", name_of(opening.way), opening.address);
    return fault[0] != 0;
  }
  int signals = signalfd(-1, &set, SFD_CLOEXEC);
  if (signals < 0) {
    say("none no descriptor for signals: %s", strerror(errno));
    return 1;
  }
  return keep(port, seconds, input, signals);
}
