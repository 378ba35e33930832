/* pcp.c: see pcp.h. */
#define _GNU_SOURCE
#include "pcp.h"

#include <arpa/inet.h>
#include <natpmp.h>
#include <poll.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum {
  PORT = 5351,
  VERSION = 2,
  MAP = 1,
  ANSWER = 0x80,
  HEADER = 24,        /* bytes; RFC 6887, 7.1 and 7.2 */
  REQUEST = 60,       /* with what MAP has, 11.1 */
  LONGEST = 1100,
  NONCE = 12,
  FIRST_TRY = 250,    /* ms; then twice as long, and once more */
  TRIES = 3
};

/* Proves to the router that who renews or gives back is who asked: one for all of this process. */
static const unsigned char *nonce(void) {
  static unsigned char bytes[NONCE];
  static int is_there;
  if (!is_there) is_there = getrandom(bytes, sizeof bytes, 0) == sizeof bytes;
  return is_there ? bytes : NULL;
}

static void put16(unsigned char *at, unsigned value) {
  at[0] = (unsigned char)(value >> 8);
  at[1] = (unsigned char)value;
}

static unsigned get16(const unsigned char *at) { return (unsigned)at[0] << 8 | at[1]; }
static unsigned get32(const unsigned char *at) { return get16(at) << 16 | get16(at + 2); }

static void put32(unsigned char *at, unsigned value) {
  put16(at, value >> 16);
  put16(at + 2, value & 0xffff);
}

/* An IPv4 address as IPv6 has it. */
static void put_address(unsigned char *at, struct in_addr address) {
  memset(at, 0, 10);
  memset(at + 10, 0xff, 2);
  memcpy(at + 12, &address, 4);
}

static long long now_ms(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000LL + time.tv_nsec / 1000000;
}

/* A socket that the router alone reaches; libnatpmp knows where the router is. -1: there is none. */
static int open_socket(struct sockaddr_in *own) {
  natpmp_t natpmp;
  if (initnatpmp(&natpmp, 0, 0) < 0) return -1;
  struct sockaddr_in router = {.sin_family = AF_INET, .sin_port = htons(PORT), .sin_addr.s_addr = natpmp.gateway};
  closenatpmp(&natpmp);
  int descriptor = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  socklen_t length = sizeof *own;
  if (descriptor < 0) return -1;
  if (connect(descriptor, (struct sockaddr *)&router, sizeof router) == 0 && getsockname(descriptor, (struct sockaddr *)own, &length) == 0)
    return descriptor;
  close(descriptor);
  return -1;
}

static pcp_status status_of(unsigned code) {
  switch (code) {
    case 0: return PCP_OPEN;
    case 2: return PCP_REFUSED;
    case 7: return PCP_DISCONNECTED;
    case 8: case 10: case 11: return PCP_TAKEN;
    case 12: return PCP_BEHIND;
    default: return PCP_OTHER;
  }
}

/* 1: it answers this request, well or not. */
static int read_answer(const unsigned char *bytes, ssize_t length, const unsigned char *request, pcp_status *status, pcp_mapping *mapping) {
  if (length < 4 || (bytes[1] & ANSWER) == 0) return 0;
  if (bytes[0] != VERSION) { /* NAT-PMP alone: it says so in its own version */
    *status = PCP_OTHER;
    return 1;
  }
  if (length < REQUEST || bytes[1] != (ANSWER | MAP)) return 0;
  const unsigned char *map = bytes + HEADER, *asked = request + HEADER;
  if (memcmp(map, asked, NONCE) != 0 || map[12] != asked[12] || memcmp(map + 16, asked + 16, 2) != 0) return 0;
  *status = status_of(bytes[3]);
  if (*status != PCP_OPEN) return 1;
  if (memcmp(map + 20, asked + 20, 12) != 0) { /* no IPv4 address */
    *status = PCP_OTHER;
    return 1;
  }
  mapping->seconds = get32(bytes + 4);
  mapping->port = get16(map + 18);
  inet_ntop(AF_INET, map + 32, mapping->address, sizeof mapping->address);
  return 1;
}

static pcp_status ask(int descriptor, const unsigned char *request, pcp_mapping *mapping) {
  pcp_status status = PCP_SILENT;
  for (int tried = 0; tried < TRIES; tried++) {
    long long until = now_ms() + (FIRST_TRY << tried);
    if (send(descriptor, request, REQUEST, 0) < 0) return PCP_SILENT;
    for (long long rest; (rest = until - now_ms()) > 0;) {
      unsigned char bytes[LONGEST];
      struct pollfd entry = {.fd = descriptor, .events = POLLIN};
      if (poll(&entry, 1, (int)rest) <= 0) continue;
      ssize_t length = recv(descriptor, bytes, sizeof bytes, 0);
      if (length < 0) return PCP_SILENT; /* the port is closed there */
      if (read_answer(bytes, length, request, &status, mapping)) return status;
    }
  }
  return status;
}

static pcp_status map_from(int descriptor, struct in_addr own, int protocol, unsigned port, unsigned wanted, unsigned seconds,
                           pcp_mapping *mapping) {
  unsigned char request[REQUEST] = {VERSION, MAP};
  if (nonce() == NULL) return PCP_OTHER;
  put32(request + 4, seconds);
  put_address(request + 8, own);
  unsigned char *map = request + HEADER;
  memcpy(map, nonce(), NONCE);
  map[12] = (unsigned char)protocol;
  put16(map + 16, port);
  put16(map + 18, seconds == 0 ? 0 : wanted);
  put_address(map + 20, (struct in_addr){0});
  pcp_status status = ask(descriptor, request, mapping);
  if (status != PCP_OPEN || seconds == 0) return status;
  struct in_addr outside;
  if (inet_pton(AF_INET, mapping->address, &outside) != 1 || outside.s_addr == 0) return PCP_DISCONNECTED;
  return mapping->port == 0 || mapping->seconds == 0 ? PCP_TAKEN : PCP_OPEN;
}

pcp_status pcp_map(int protocol, unsigned port, unsigned wanted, unsigned seconds, pcp_mapping *mapping) {
  struct sockaddr_in own;
  int descriptor = open_socket(&own);
  if (descriptor < 0) return PCP_NO_ROUTER;
  pcp_status status = map_from(descriptor, own.sin_addr, protocol, port, wanted, seconds, mapping);
  close(descriptor);
  return status;
}

/* It is told with a port alone: that of the question itself, which is given back at once. */
pcp_status pcp_address(pcp_mapping *mapping) {
  struct sockaddr_in own;
  pcp_mapping none;
  int descriptor = open_socket(&own);
  if (descriptor < 0) return PCP_NO_ROUTER;
  unsigned port = ntohs(own.sin_port);
  pcp_status status = map_from(descriptor, own.sin_addr, IPPROTO_UDP, port, port, 1, mapping);
  if (status == PCP_OPEN) map_from(descriptor, own.sin_addr, IPPROTO_UDP, port, 0, 0, &none);
  close(descriptor);
  return status;
}

const char *pcp_words(pcp_status status) {
  switch (status) {
    case PCP_NO_ROUTER: return "there is no router";
    case PCP_SILENT: return "the router does not answer";
    case PCP_REFUSED: return "the router refuses";
    case PCP_TAKEN: return "the router has no port left";
    case PCP_DISCONNECTED: return "the router is not connected itself";
    case PCP_BEHIND: return "another router is in between";
    case PCP_OPEN: case PCP_OTHER: break;
  }
  return "the router answers something else";
}
