import { right } from '../../../fp.ts'
import { type InputOf, input } from '../../../kernel/input/input.ts'
import { inQuery } from '../../../kernel/input/query.ts'
import { all, eq, isIn } from '../../../kernel/records/where.ts'
import { type UseCase, withValidInput } from '../../../kernel/running/use-case.ts'
import type { PageOf } from '../../../kernel/values/page.ts'
import { groupOf } from '../../../ports/store.ts'
import type { Actor } from '../../actor.ts'
import { CARD, type Entry, entries } from '../../ledger/entry.ts'
import { CARD_SETTLEMENT, CARD_WITHDRAWAL } from '../../ledger/transaction-type.ts'
import type { PaymentsPorts } from '../../payments-ports.ts'
import { type EntryField, onDays } from '../entry-filter.ts'
import { entryPage } from '../entry-page.ts'
import { startAndEnd } from '../period.ts'
import type { Balance } from '../read-balance.ts'

/** The most entries of cards on a page. Source: 02-billing.md, Limits. */
const MOST_A_PAGE = 100

const days = startAndEnd

/** Days are São Paulo days, both ends included. Source: 02-billing.md, Statements (GET /transactions/card). */
export const cardEntryFilter = input('CardEntryFilter', {
  days,
  perPage: inQuery.perPage({ max: MOST_A_PAGE, wire: 'perPage', about: 'Registros por página' }),
  page: inQuery.page({ about: 'Página, a partir de 1' }),
})

export type CardEntryFilter = InputOf<typeof cardEntryFilter>

/**
 * A page of the settlements and withdrawals of cards, the newest first, each with the card balance after it.
 * Fails: `fields`. Source: 02-billing.md, Statements.
 */
export const listCardEntries =
  (ports: PaymentsPorts) =>
  ({ accountId }: Pick<Actor, 'accountId'>, given: CardEntryFilter) =>
    withValidInput(
      ports,
      cardEntryFilter,
      given,
      (filter): UseCase<PageOf<Entry>, never> =>
        async () =>
          right(await entryPage(ports.store, accountId, { days: filter.days, status: CARD }, filter)),
    )

/** Source: 02-billing.md, Statements (GET /transactions/card/balance). */
export const cardBalanceFilter = input('CardBalanceFilter', { days })

export type CardBalanceFilter = InputOf<typeof cardBalanceFilter>

/**
 * What settlements and withdrawals of cards come to on some days; on all of them, what can be withdrawn.
 * Fails: `fields`. Source: 02-billing.md, Statements.
 */
export const readCardBalance =
  (ports: PaymentsPorts) =>
  ({ accountId }: Pick<Actor, 'accountId'>, given: CardBalanceFilter) =>
    withValidInput(
      ports,
      cardBalanceFilter,
      given,
      (filter): UseCase<Balance, never> =>
        async () => {
          const where = all<EntryField>(
            eq('accountId', accountId),
            eq('status', CARD),
            isIn('typeId', [CARD_SETTLEMENT.id, CARD_WITHDRAWAL.id]),
            ...onDays(filter.days),
          )
          const [row] = await ports.store.group(groupOf(entries, { where, by: [], sum: ['valueCents'] }))
          return right({ balanceCents: row?.sums.valueCents ?? 0 })
        },
    )
