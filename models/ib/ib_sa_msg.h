/* Subnet-administration messages as values: PathRecord Get, MCMemberRecord Set and Delete, and
 * their responses (IBTA vol. 1, 15.2.5.16 and 15.2.5.17). */
#pragma once

#include "ib_gid.h"

/* A response is its request's number + 1. */
typedef enum {
  IB_SA_GET_PATH,
  IB_SA_GET_PATH_RESP,
  IB_SA_JOIN, /* MCMemberRecord Set */
  IB_SA_JOIN_RESP,
  IB_SA_LEAVE, /* MCMemberRecord Delete */
  IB_SA_LEAVE_RESP,
} IbSaMethod;

/* Statuses of a response (IBTA 13.4.7, 15.2.2). */
typedef enum {
  IB_SA_STATUS_OK = 0,
  IB_SA_STATUS_BUSY = 0x0001,
  IB_SA_STATUS_NO_RESOURCES = 0x0100,
  IB_SA_STATUS_REQ_INVALID = 0x0200,
  IB_SA_STATUS_INSUFFICIENT_COMPONENTS = 0x0600,
} IbSaStatus;

/* Ways to be in a multicast group, bits of JoinState (IBTA 15.2.5.17.2). */
typedef enum {
  IB_JOIN_FULL = 1,
  IB_JOIN_NON_MEMBER = 2,
  IB_JOIN_SEND_ONLY = 4,      /* non-member */
  IB_JOIN_SEND_ONLY_FULL = 8,
} IbJoinState;
#define IB_JOIN_STATES 4

/* What a join asks for besides the group itself. */
typedef enum {
  IB_SA_GIVEN_PATH = 1, /* Q_Key, SL, flow label, traffic class */
  IB_SA_GIVEN_RATE = 2, /* rate, MTU, hop limit */
} IbSaGiven;

/* What a MCMemberRecord has and a path record has not. */
typedef struct {
  IbGid mgid;
  guint32 qkey;
  guint16 mlid;      /* 0 in a request */
  guint8 join_state; /* IbJoinState bits; response: all that the port holds */
  guint8 given;      /* request: IbSaGiven bits */
} IbSaGroup;

typedef struct {
  guint8 method;          /* IbSaMethod */
  guint8 packet_lifetime; /* response: 6-bit code, 4.096 us x 2^n */
  guint8 mtu, rate, sl;   /* codes */
  guint16 status;         /* response: IbSaStatus */
  guint32 dlid, slid;     /* ends of the path; slid: the port that joins or leaves */
  guint64 tid;
  IbSaGroup group;        /* joins and leaves */
} IbSaMsg;
