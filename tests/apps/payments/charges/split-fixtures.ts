import type { ExecutionContext } from 'ava'
import { always, patch } from '../../../../core/kernel/records/record.ts'
import { accounts } from '../../../../core/payments/accounts/account.ts'
import { verifyLedger } from '../../../../core/payments/ledger/verify-ledger.ts'
import { verifyCardSales } from '../../../../core/payments/reserves/verify-card-sales.ts'
import { verifyMoneyOut } from '../../../../core/payments/reserves/verify-money-out.ts'
import { verifyReserves } from '../../../../core/payments/reserves/verify-reserves.ts'
import { verifySplits } from '../../../../core/payments/reserves/verify-splits.ts'
import { type Merchant, openTestApi, worked } from '../test-api.ts'

export const nameOf = (party: { readonly name: string } | null) => party?.name

/** An issuer and at most two receivers, each with a key. */
export const openSplit = async (
  t: ExecutionContext,
  receivers = 1,
  options: Parameters<typeof openTestApi>[1] = {},
) => {
  const api = await openTestApi(t, options)
  const issuer = await api.merchant()
  await api.setStatus(issuer, 'ACTIVE')
  const others: (Merchant & { key: string })[] = []
  for (let n = 0; n < receivers; n += 1) {
    const merchant = await api.merchant()
    await api.setStatus(merchant, 'ACTIVE')
    await api.host.store.commit([patch(accounts, merchant.id, { set: { name: `Loja ${n}` }, when: always })])
    const body = { name: 'Vendas de cursos' }
    const made = await api.ask('POST', '/v1/split-receivers', { token: merchant.token, body })
    others.push({ ...merchant, key: made.body.split_receiver.key })
  }
  const [first = issuer, second = issuer] = others
  return {
    api,
    issuer,
    first,
    second,
    keys: others.map(({ key }) => key),
    /** Reads a charge of the issuer. */
    show: async (id: number) => worked(await api.ask('GET', `/invoices/${id}`, { token: issuer.token })).data,
    /** Requests a refund of a charge of the issuer. */
    refund: (id: number, body: object = {}) => api.ask('POST', `/invoices/${id}/refund`, { token: issuer.token, body }),
    lines: async ({ token }: Merchant) =>
      (await api.ask('GET', '/consolidation/transactions?per_page=50', { token })).body.data
        .map(({ type, value, balance }: never) => `${(type as { slug: string }).slug} ${value} ${balance}`)
        .toReversed(),
    /** The payer and the receiver of each line of a type. */
    sides: async ({ token }: Merchant, slug: string) =>
      (await api.ask('GET', '/consolidation/transactions?per_page=50', { token })).body.data
        .filter(({ type }: { readonly type: { readonly slug: string } }) => type.slug === slug)
        .map(({ payer, receiver }: never) => `${nameOf(payer)} > ${nameOf(receiver)}`)
        .toReversed(),
    balances: async ({ token }: Merchant) => (await api.ask('GET', '/v1/balance', { token })).body.balance,
    sound: async () => {
      const { store } = api.host
      for (const verify of [verifyLedger, verifyReserves, verifyMoneyOut, verifyCardSales, verifySplits])
        t.deepEqual((await verify(store)).faults, [])
    },
  }
}
