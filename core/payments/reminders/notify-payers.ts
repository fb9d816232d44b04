import { failure } from '../../failure.ts'
import { isLeft, left, right } from '../../fp.ts'
import type { Change } from '../../kernel/records/change.ts'
import type { Fresh } from '../../kernel/running/fresh.ts'
import { accept, decideAndCommit, useCaseOf, withValidInput } from '../../kernel/running/use-case.ts'
import { KEY_CHANGES, MAX_CHANGES_PER_COMMIT } from '../../limits.ts'
import type { Actor } from '../actor.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import { type AskedNotice, askedNotice, type NoticeGiven } from './asked-notice.ts'
import { decideNotices, type NoticeFacts, readNotices } from './decide-notices.ts'

/** How many charges it was about. */
export interface Notified {
  readonly count: number
}

/**
 * Tells the payers of some charges how they stand, by each channel once, whatever else they were told; unknown charges are
 * skipped, and so is who cannot be reached by a channel. What is over what the account may send is kept as not sent.
 * Fails: `fields`, `charge.none-given`, `charge.unknown` (none of them is the account's, or all are deleted),
 * `account.unknown`, `organization.inactive`.
 * Source: 02-billing.md, Charges; decisions.md §9 and §12, Fair shares.
 */
export const notifyPayers = (ports: PaymentsPorts) => (actor: Pick<Actor, 'accountId'>, given: NoticeGiven) =>
  withValidInput(ports, askedNotice, given, (asked) =>
    useCaseOf<Notified>()(async (hooks) => {
      const names = namesIn(asked)
      const first = await decideAndCommit(
        ports,
        (store) => readNotices(ports, store, actor, names, asked),
        (facts, fresh) =>
          names.length === 0
            ? left(failure('refused', 'charge.none-given'))
            : decideCommits(ports, facts, asked, fresh),
        ({ told, later }) => (later.length === 0 && hooks ? hooks.completed(told) : []),
      )
      if (isLeft(first)) return first
      const { told, later } = first.right
      if (later.length === 0) return right(told)
      return decideAndCommit(
        ports,
        () => null,
        () => accept(told, ...later),
        hooks?.completed,
      )
    }),
  )

const namesIn = ({ ids, id }: Pick<AskedNotice, 'ids' | 'id'>): readonly string[] => [
  ...new Set([...(ids ?? []), ...(id === null ? [] : [id])]),
]

interface Commits {
  readonly told: Notified
  /** What the first commit has no place for. */
  readonly later: readonly Change[]
}

/**
 * One commit, or where that is too small two: first what is counted, then what is sent. Whoever dies between them has told
 * nobody, so that a repeat tells nobody twice; it costs what was counted of that day.
 */
const decideCommits = (
  ports: Pick<PaymentsPorts, 'cipher' | 'settings'>,
  facts: NoticeFacts,
  asked: AskedNotice,
  fresh: Fresh,
) => {
  const made = decideNotices(ports, facts, asked, fresh)
  if (isLeft(made)) return made
  const { counting, queuing } = made.right
  const told: Notified = { count: facts.about.length }
  return counting.length + queuing.length + KEY_CHANGES <= MAX_CHANGES_PER_COMMIT
    ? accept<Commits>({ told, later: [] }, ...counting, ...queuing)
    : accept<Commits>({ told, later: queuing }, ...counting)
}
