import { failure } from '../../failure.ts'
import { isLeft, left } from '../../fp.ts'
import type { Fresh } from '../../kernel/running/fresh.ts'
import { accept, useCase } from '../../kernel/running/use-case.ts'
import type { Actor } from '../actor.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import { decideNotices, type NoticeFacts, readNotices } from './decide-notices.ts'

const BY_MAIL = { channels: ['email'], message: null } as const

/** What was mailed, and to whom. */
export interface MailedNotice {
  readonly chargeId: number
  /** Null where it is over what the account may send: it is kept, and not sent. */
  readonly email: string | null
}

/**
 * Mails the payer of a charge, by its id or code, how it stands.
 * Fails: `charge.unknown` (a deleted one too), `client.no-email` (nor is who was removed told anything), `account.unknown`,
 * `organization.inactive`.
 * Source: 02-billing.md, Charges; decisions.md §9 and §12, Fair shares.
 */
export const mailPayer = (ports: PaymentsPorts) => (actor: Pick<Actor, 'accountId'>, idOrCode: string) =>
  useCase(
    ports,
    (store) => readNotices(ports, store, actor, [idOrCode], BY_MAIL),
    (facts, fresh) => decideMail(ports, facts, fresh),
  )

const decideMail = (ports: Pick<PaymentsPorts, 'cipher' | 'settings'>, facts: NoticeFacts, fresh: Fresh) => {
  const made = decideNotices(ports, facts, BY_MAIL, fresh)
  if (isLeft(made)) return made
  const { counting, queuing, reasons } = made.right
  const [{ charge, client } = NOBODY] = facts.about
  const email = client?.email ?? null
  // Who cannot be reached is told nothing.
  if (!charge || email === null || queuing.length === 0) return left(failure('refused', 'client.no-email'))
  const isSent = reasons[0] === null
  return accept<MailedNotice>({ chargeId: charge.id, email: isSent ? email : null }, ...counting, ...queuing)
}

const NOBODY: Partial<NoticeFacts['about'][number]> = {}
