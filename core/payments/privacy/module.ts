import { sweepOf } from '../../kernel/running/jobs.ts'
import type { PaymentsModule, PaymentsPorts } from '../payments-ports.ts'
import { eraseClient } from './erase-client.ts'
import { erasures } from './erasure.ts'
import { erasureQueue } from './erasure-queue.ts'
import { drawMemberData, readMemberData } from './member-data.ts'
import { eraseMember, memberErasureQueue, memberErasures } from './member-erasure.ts'
import { drawPersonalData } from './paper.ts'
import { readPersonalData } from './personal-data.ts'
import { retentionJob } from './prune.ts'

/** The rights of payers and of members of a team over their personal data (LGPD, Lei 13.709/2018, arts. 16 and 18). */
export const personalData = {
  collections: [erasures, memberErasures],
  sweeps: [sweepOf(erasures)],
  jobs: (ports: PaymentsPorts) => [retentionJob(ports)],
  queues: (ports: PaymentsPorts) => [erasureQueue(ports), memberErasureQueue(ports)],
  useCases: (ports: PaymentsPorts) => ({
    /**
     * Erases the personal data of one of the account's clients, also of a removed one, by its id. The client is erased
     * in this call; the worker erases the copies in charges, statements, links, messages and webhooks within some
     * minutes, and removes the account's exports that may contain its transactions. The fields that the law requires
     * stay (`keptFieldsOf`). A repeated call changes nothing, but a payment since then extends the term of these
     * fields. The call removes the client first: if it is interrupted, the client stays removed until a repeated call
     * erases it, or restores it because of an open charge. Fails: `client.unknown`, `client.charges-open` (the issues
     * name the charges).
     */
    eraseClient: eraseClient(ports),
    /**
     * Reads all stored data about one of the account's clients, also of a removed or erased one, by its id, and records
     * the read in the audit trail. Mails and messages are stored for 7 days. Fails: `client.unknown`.
     */
    readClient: readPersonalData(ports),
    /** Draws the same data as a PDF. Fails: `client.unknown`. */
    drawClient: drawPersonalData(ports),
    /**
     * Erases the personal data of a user who left the account's team, by the user's id. The worker erases the user's
     * values in the account's audit trail within some minutes, those in notifications of the ADMINs, and the mails to
     * them that name the user; the chain still verifies. Access records stay for six months. If the user is a member of
     * no account, the user record, its audit entries, and the mails to the user, queued or sent, are erased too. A
     * repeated call changes nothing, unless the user has left its last account since then. Fails: `user.unknown` (also
     * if the user never was a member), `user.member` (remove the user first).
     */
    eraseMember: eraseMember(ports),
    /**
     * Reads all stored data about a member of the account's team, or about one who left, by the user's id, and records
     * the read in the audit trail. Fails: `user.unknown`.
     */
    readMember: readMemberData(ports),
    /** Draws the same data as a PDF. Fails: `user.unknown`. */
    drawMember: drawMemberData(ports),
  }),
} satisfies PaymentsModule
