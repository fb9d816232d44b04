import type { AnyCollection } from '../kernel/records/collection.ts'
import { type Sweep, sweepOf } from '../kernel/running/sweep.ts'
import { codes } from './access/codes/code.ts'
import { codeTryCounts } from './access/codes/code-tries.ts'
import { passwordLinks } from './access/codes/password-link.ts'
import { memberships } from './access/members/membership.ts'
import { users } from './access/members/user.ts'
import { REFRESH_SECONDS, sessions } from './access/sessions/session.ts'
import { throttles } from './access/sessions/throttle.ts'
import { accounts } from './accounts/account.ts'
import { reminders } from './accounts/settings/reminders.ts'
import { auditChains } from './audit/audit-chain.ts'
import { auditEntries } from './audit/audit-entry.ts'
import { charges } from './charges/charge.ts'
import { claims } from './claim.ts'
import { clients } from './customers/client.ts'
import { storedFiles } from './files/stored-file.ts'
import { notifications } from './inbox/notification.ts'
import { jobs } from './jobs.ts'
import { entries } from './ledger/entry.ts'
import { journals } from './ledger/journal.ts'
import { ledgerAccounts } from './ledger/ledger-account.ts'
import { mails } from './mail/mail.ts'
import { messages } from './messages/message.ts'
import { events } from './outbox/event.ts'
import { openings } from './registrations/opening/opening.ts'
import { registrations } from './registrations/registration.ts'
import { deliveries } from './webhooks/delivery.ts'

/** Everything that the payments business keeps: a store is opened with this table. */
export const paymentsCollections: readonly AnyCollection[] = [
  accounts,
  auditChains,
  auditEntries,
  ledgerAccounts,
  charges,
  claims,
  clients,
  codes,
  codeTryCounts,
  deliveries,
  entries,
  events,
  jobs,
  journals,
  mails,
  memberships,
  messages,
  notifications,
  openings,
  passwordLinks,
  reminders,
  registrations,
  sessions,
  storedFiles,
  throttles,
  users,
]

/** What of it runs out. */
export const paymentsSweeps: readonly Sweep[] = [
  sweepOf(codes),
  sweepOf(codeTryCounts),
  sweepOf(passwordLinks),
  sweepOf(sessions, { graceSeconds: REFRESH_SECONDS }),
  sweepOf(throttles),
  sweepOf(mails),
  sweepOf(messages),
]
