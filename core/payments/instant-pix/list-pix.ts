import { isLeft, right } from '../../fp.ts'
import { type InputOf, input } from '../../kernel/input/input.ts'
import { inQuery, pageFields } from '../../kernel/input/query.ts'
import { all, eq, isIn } from '../../kernel/records/where.ts'
import { useCaseOf, withValidInput } from '../../kernel/running/use-case.ts'
import { offsetOf, type Page, type PageOf } from '../../kernel/values/page.ts'
import { MAX_PAGE } from '../../limits.ts'
import { listOf } from '../../ports/store.ts'
import type { Actor } from '../actor.ts'
import { type Charge, charges } from '../charges/charge.ts'
import { withClients } from '../charges/list-charges.ts'
import { PAYMENT_TYPE_IDS } from '../charges/payment/payment-lines.ts'
import { type Entry, entries } from '../ledger/entry.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import { type DrawnPix, drawn, readPix } from './read-pix.ts'

/** Source: 02-billing.md, Legacy instant-payment module. */
export const instantPixFilter = input('InstantPixFilter', {
  ...pageFields,
  txid: inQuery.text({ about: 'Mostra só este Pix, com o que o pagou: o txid ou o id dele' }),
  id: inQuery.text({ about: 'O mesmo que txid' }),
})

export type InstantPixFilter = InputOf<typeof instantPixFilter>

/** A Pix with the lines that posted what was paid of it, oldest first. */
export interface PaidPix extends DrawnPix {
  readonly transactions: readonly Entry[]
}

/** Many by their page, or the one that was asked for. */
export type ListedPix = PageOf<DrawnPix> | PaidPix

type Reader = Pick<Actor, 'accountId'>

/**
 * A page of the account's Pix charges, newest first; with a txid or id that one alone, with what was paid of it.
 * Fails: `fields`, `instant-pix.unknown`. Source: 02-billing.md, Legacy instant-payment module.
 */
export const listPix = (ports: PaymentsPorts) => (reader: Reader, given: InstantPixFilter) =>
  withValidInput(ports, instantPixFilter, given, ({ txid, id, ...page }) =>
    useCaseOf<ListedPix>()(async () => {
      const one = txid ?? id
      if (one === undefined) return right(await pageOf(ports, reader, page))
      const found = await readPix(ports)(reader, one)()
      return isLeft(found) ? found : right({ ...found.right, transactions: await paymentsOf(ports, found.right) })
    }),
  )

const pageOf = async (ports: PaymentsPorts, { accountId }: Reader, asked: Page): Promise<PageOf<DrawnPix>> => {
  const { page, perPage } = asked
  const { records, total } = await ports.store.list(
    listOf(charges, {
      where: all<keyof Charge & string>(eq('accountId', accountId), eq('paymentMethod', 'PIX')),
      when: 'listed',
      sort: { by: 'createdAt', dir: 'desc' },
      limit: perPage,
      offset: offsetOf(asked),
      total: true,
    }),
  )
  const drawings: DrawnPix[] = []
  // One after the other: a page has up to hundreds of pictures, and others are answered between two of them.
  for (const detail of await withClients(ports, records, ports.clock.steady()))
    drawings.push(await drawn(ports, detail))
  return { page, perPage, records: drawings, total: total ?? 0 }
}

/** What was paid of it, without the fees. */
const paymentsOf = async ({ store }: PaymentsPorts, { charge }: DrawnPix): Promise<readonly Entry[]> => {
  const { accountId, id } = charge
  const { records } = await store.list(
    listOf(entries, {
      where: all<keyof Entry & string>(
        eq('accountId', accountId),
        eq('chargeId', id),
        isIn('typeId', PAYMENT_TYPE_IDS),
      ),
      sort: { by: 'seq', dir: 'asc' },
      limit: MAX_PAGE,
    }),
  )
  return records
}
