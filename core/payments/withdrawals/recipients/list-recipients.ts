import { left, right } from '../../../fp.ts'
import { type InputOf, input } from '../../../kernel/input/input.ts'
import { inQuery, pageFields } from '../../../kernel/input/query.ts'
import { pick } from '../../../kernel/input/table.ts'
import { all, eq, isIn, type Where } from '../../../kernel/records/where.ts'
import { searchIn } from '../../../kernel/resources/list-queries.ts'
import { type UseCase, useCaseOf, withValidInput } from '../../../kernel/running/use-case.ts'
import { offsetOf, type PageOf } from '../../../kernel/values/page.ts'
import { MAX_PAGE } from '../../../limits.ts'
import { byId, listAll, listOf } from '../../../ports/store.ts'
import type { Actor } from '../../actor.ts'
import type { PaymentsPorts } from '../../payments-ports.ts'
import { NO_RECIPIENT, type PaidParty, paidParties, type Recipient, recipients } from './recipient.ts'

/** How many are the most frequent. Source: 02-billing.md, Limits. */
const MOST_FREQUENT = 10

const search = inQuery.text({ about: 'Nome, documento ou chave Pix' })

export const recipientFilter = input('RecipientFilter', { ...pageFields, search })
export const frequentFilter = input('FrequentRecipientFilter', pick({ search }, 'search'))

export type RecipientFilter = InputOf<typeof recipientFilter>
export type FrequentFilter = InputOf<typeof frequentFilter>

/** Who has been paid, with where. */
export interface PartyWithRecipients extends PaidParty {
  readonly recipients: readonly Recipient[]
}

const holding = <F extends string>(text: string | undefined): readonly Where<F | 'search'>[] =>
  text ? [searchIn<F | 'search'>('search', text)] : []

type Field = keyof Recipient & string

/** The ten that an account has paid most often. Fails: `fields`. Source: 02-billing.md, GET /recipients/frequent. */
export const frequentRecipients =
  (ports: Pick<PaymentsPorts, 'store' | 'clock'>) =>
  ({ accountId }: Pick<Actor, 'accountId'>, given: FrequentFilter = {}) =>
    withValidInput(
      ports,
      frequentFilter,
      given,
      (filter): UseCase<readonly Recipient[], never> =>
        async () => {
          const where = all<Field>(eq('accountId', accountId), ...holding<Field>(filter.search))
          const sort = { by: 'count', dir: 'desc' } as const
          const { records } = await ports.store.list(listOf(recipients, { where, sort, limit: MOST_FREQUENT }))
          return right(records)
        },
    )

/** A recipient of the account. Fails: `recipient.unknown`. Source: 02-billing.md, Legacy instant-payment module. */
export const readRecipient =
  ({ store }: Pick<PaymentsPorts, 'store'>) =>
  ({ accountId }: Pick<Actor, 'accountId'>, id: number | null) =>
    useCaseOf<Recipient>()(async () => {
      const found = id === null ? null : await store.find(byId(recipients, id))
      return found?.accountId === accountId ? right(found) : left(NO_RECIPIENT)
    })

/**
 * A page of those whom the account has paid, one for each document, the newest first, with where they were paid.
 * Fails: `fields`. Source: decisions.md §11, Withdrawals.
 */
export const listPaidParties =
  (ports: Pick<PaymentsPorts, 'store' | 'clock'>) =>
  ({ accountId }: Pick<Actor, 'accountId'>, given: RecipientFilter = {}) =>
    withValidInput(
      ports,
      recipientFilter,
      given,
      (filter): UseCase<PageOf<PartyWithRecipients>, never> =>
        async () => {
          const { page, perPage } = filter
          const { records, total } = await ports.store.list(
            listOf(paidParties, {
              where: all<keyof PaidParty & string>(
                eq('accountId', accountId),
                ...holding<keyof PaidParty & string>(filter.search),
              ),
              sort: { by: 'createdAt', dir: 'desc' },
              limit: perPage,
              offset: offsetOf(filter),
              total: true,
            }),
          )
          return right({ page, perPage, total: total ?? 0, records: await withRecipients(ports, accountId, records) })
        },
    )

const withRecipients = async (
  { store }: Pick<PaymentsPorts, 'store'>,
  accountId: number,
  parties: readonly PaidParty[],
): Promise<readonly PartyWithRecipients[]> => {
  if (parties.length === 0) return []
  const documents = parties.map(({ document }) => document)
  const records = await listAll(
    store,
    listOf(recipients, {
      where: all<Field>(eq('accountId', accountId), isIn('document', documents)),
      sort: { by: 'lastUsedAt', dir: 'desc' },
      limit: MAX_PAGE,
    }),
  )
  return parties.map((party) => ({
    ...party,
    recipients: records.filter(({ document }) => document === party.document),
  }))
}
