import { buffer } from 'node:stream/consumers'
import test from 'ava'
import { insert } from '../../../../core/kernel/records/record.ts'
import { accounts } from '../../../../core/payments/accounts/account.ts'
import { type Charge, charges } from '../../../../core/payments/charges/charge.ts'
import { clients } from '../../../../core/payments/customers/client.ts'
import { downloadCharges } from '../../../../core/payments/exports/charge-table.ts'
import type { ChargeListPaper } from '../../../../core/ports/documents.ts'
import { aCharge, aClient, anAccount } from '../records.ts'
import { openPayments, right, wrongIn } from '../world.ts'

const MANY = 20_001
const AT_ONCE = 1_000

/** An account with charges of one client, the first of them paid and refunded in part; returns the drawn papers. */
const accountWith = async (count: number) => {
  const { ports } = openPayments()
  const first: Partial<Charge> = {
    status: 'paid',
    amountPaidCents: 15_000,
    refundedCents: 500,
    paymentDate: '2026-11-24',
  }
  const all = Array.from({ length: count }, (_, at) =>
    aCharge({ id: at + 1, code: `c${at}`, txid: `t${at}`, pix: null, ...(at === 0 && first) }),
  )
  await ports.store.commit([insert(accounts, anAccount()), insert(clients, aClient)])
  for (let at = 0; at < count; at += AT_ONCE)
    await ports.store.commit(all.slice(at, at + AT_ONCE).map((charge) => insert(charges, charge)))
  const papers: ChargeListPaper[] = []
  const statementRenderer = {
    ...ports.statementRenderer,
    chargeListPdf: async (paper: ChargeListPaper) => {
      papers.push(paper)
      return new Uint8Array([37])
    },
  }
  return { download: downloadCharges({ ...ports, statementRenderer }), papers }
}

test('draws the filters in words, and the sums of the charges that they match', async (t) => {
  const { download, papers } = await accountWith(3)
  const filter = { statuses: ['paid', 'pending'], due: { from: '2026-11-01', to: '2026-11-30' }, clientId: 3 } as const
  const file = right(await download({ accountId: 1 }, { ...filter, format: 'pdf' })())
  t.is((await buffer(file.chunks)).length, 1)
  t.like(papers[0], {
    holder: { name: anAccount().name },
    filters: 'situação Pago, Pendente; cliente Maria da Silva; vencimento de 01/11/2026 a 30/11/2026',
    valueCents: 45_150,
    paidCents: 15_000,
    refundedCents: 500,
  })
  t.deepEqual(
    papers[0]?.lines.map(({ id, status, paid }) => [id, status, paid]),
    [
      [1, 'Pago', { cents: 15_000, day: '2026-11-24' }],
      [2, 'Pendente', null],
      [3, 'Pendente', null],
    ],
  )
  for await (const _ of right(await download({ accountId: 1 }, { format: 'pdf' })()).chunks);
  t.is(papers[1]?.filters, null)
})

test('rejects a PDF of more than 20,000 charges, and writes them as a table', async (t) => {
  const { download } = await accountWith(MANY)
  t.deepEqual(wrongIn(await download({ accountId: 1 }, { format: 'pdf' })()), ['format export.pdf-charges-max'])
  const { chunks } = right(await download({ accountId: 1 }, { format: 'csv' })())
  t.is((await buffer(chunks)).toString().trim().split('\r\n').length, MANY + 1)
})
