// Also runs on MongoDB.

import test from 'ava'
import { parse } from 'csv-parse/sync'
import type { Host } from '../../../../apps/host/host.ts'
import { always, patch } from '../../../../core/kernel/records/record.ts'
import { accounts } from '../../../../core/payments/accounts/account.ts'
import { charges } from '../../../../core/payments/charges/charge.ts'
import { bookOf } from '../../../../core/payments/ledger/ledger.ts'
import { links } from '../../../../core/payments/links/link.ts'
import { audit } from '../../../../core/payments/office.ts'
import { splitShares } from '../../../../core/payments/splits/share.ts'
import { textOf } from '../../../adapters/documents/printed-page.ts'
import { readWorkbook } from '../../../adapters/sheets/read-workbook.ts'
import { justBefore, writesTo } from '../../../core/kernel/running/tasks.ts'
import { column } from '../../../core/payments/world.ts'
import { linkOf, payBy, shownTo } from '../checkout/payer.ts'
import { CARDS, cardBody } from '../given/cards.ts'
import { type Answer, MARIA, type Merchant, pluck, worked } from '../test-api.ts'
import { nameOf, openSplit } from './split-fixtures.ts'

const issuesIn = ({ errors }: Answer['body']) =>
  Object.entries(errors as Record<string, string[]>).map(([path, [text]]) => `${path}: ${text}`)

const decimalText = (value = '') => Math.abs(Number(value)).toFixed(2).replace('.', ',')

const HOOK = 'https://receiver.example/hook'

test('credits each account its share of a payment, in both statements', async (t) => {
  const { api, issuer, keys, lines, sides, sound, first, second, show } = await openSplit(t, 2)
  await api.host.store.commit([patch(accounts, first.id, { set: { webhookUrl: HOOK }, when: always })])
  const splits = [
    { account: keys[0], percent: 33.33 },
    { account: keys[1], amount: 20 },
  ]
  const charge = await api.paid(issuer, { value: 100, splits })
  await api.pay(charge.pix.txid, { value: 1 })
  t.deepEqual(await lines(issuer), [
    'pix-in 100 100',
    'split-out -33.33 66.67',
    'split-out -20 46.67',
    'pix-in 1 47.67',
    'split-out -0.33 47.34',
  ])
  t.deepEqual(await lines(first), ['split-in 33.33 33.33', 'split-in 0.33 33.66'])
  t.deepEqual(await lines(second), ['split-in 20 20'])
  const passed = await sides(issuer, 'split-out')
  t.deepEqual(passed, ['Escola Aurora > Loja 0', 'Escola Aurora > Loja 1', 'Escola Aurora > Loja 0'])
  const ofPayer = await api.ask('GET', `/v1/clients/${charge.client.id}/personal-data`, { token: issuer.token })
  t.like(worked(ofPayer).data.transactions, { length: 5, 1: { value: -33.33, payer: null, receiver: null } })
  const shown = await show(charge.id)
  t.deepEqual(shown.splits, [
    { account: keys[0], name: 'Loja 0', percent: 33.33, amount: null, fee_bearer: 'ISSUER', received: 33.66 },
    { account: keys[1], name: 'Loja 1', percent: null, amount: 20, fee_bearer: 'ISSUER', received: 20 },
  ])
  await api.drain()
  t.deepEqual(
    api
      .told(HOOK)
      .map(({ type, data }) => [type, data.value, data.status])
      // Webhooks of one instant arrive in any order.
      .toSorted(([, one], [, other]) => other - one),
    [
      ['split.received', 33.33, 'credited'],
      ['split.received', 0.33, 'credited'],
    ],
  )
  await sound()
})

test('refuses splits that cannot be kept, with the index of each', async (t) => {
  const { api, issuer, keys, first, second } = await openSplit(t, 2)
  const [key = '', other = ''] = keys
  const keyOf = async ({ token }: Merchant, body = {}) =>
    (await api.ask('POST', '/v1/split-receivers', { token, body: { name: 'Chave', ...body } })).body.split_receiver
  const own = await keyOf(issuer)
  const limited = await keyOf(first, { issuers: ['outra-conta'] })
  const code = (await api.every(accounts)).find(({ id }) => id === issuer.id)?.codeAccount ?? ''
  const allowed = await keyOf(first, { issuers: [code] })
  const revoked = await keyOf(first)
  await api.ask('DELETE', `/v1/split-receivers/${revoked.id}`, { token: first.token })
  const issue = (splits: readonly object[], value = 10) =>
    api.ask('POST', '/invoices', { token: issuer.token, body: { ...MARIA, value, splits } })
  const unknown = 'splits.0.account: O registro informado não existe.'
  const percent = (account: string, share: number) => ({ account, percent: share })
  const amount = (account: string, share: number) => ({ account, amount: share })
  const rows: readonly (readonly [splits: object[], wrong: string])[] = [
    [[percent('split_x', 1)], unknown],
    [[percent(revoked.key, 1)], unknown],
    [[percent(limited.key, 1)], unknown],
    [[percent(own.key, 1)], 'splits.0.account: Uma conta não divide uma cobrança consigo mesma.'],
    [[percent(key, 1), amount(allowed.key, 1)], 'splits.1.account: A conta já recebe outra parte desta cobrança.'],
    [[percent(key, 60), percent(other, 40.01)], 'splits.1.percent: Os percentuais somam mais de 100%.'],
    [[percent(key, 50), amount(other, 5.01)], 'splits.1.amount: As partes somam mais que o valor da cobrança.'],
    [[percent(key, 0.09)], 'splits.0.percent: A parte deve ser de pelo menos um centavo.'],
    [[{ account: key }], 'splits.0.percent: O campo é obrigatório.'],
    [[{ ...percent(key, 1), amount: 1 }], 'splits.0.amount: Não pode ser informado junto com percent.'],
  ]
  for (const [splits, wrong] of rows) t.deepEqual(issuesIn((await issue(splits)).body), [wrong])
  t.is((await issue(Array.from({ length: 21 }, () => ({ account: key, percent: 1 })))).status, 422)
  t.is((await issue([{ account: allowed.key, percent: 100 }])).status, 200)
  await api.setStatus(second, 'SUSPENDED')
  const suspended = await issue([{ account: other, percent: 1 }])
  t.deepEqual(issuesIn(suspended.body), ['splits.0.account: A conta que recebe está suspensa.'])
})

test('refuses a receiver that is revoked or suspended just before the commit, not after it', async (t) => {
  const meanwhile = justBefore(writesTo(charges, links))
  const instead = ({ store }: Host) => ({ store: meanwhile.on(store) })
  const { api, issuer, first: receiver } = await openSplit(t, 1, { instead })
  const { token } = issuer
  const terms = { description: 'Duas vezes', interval: 1, interval_type: 'months', installments_count: 2 }
  const plan = worked(await api.ask('POST', '/payment-plans', { token, body: terms })).data
  const requests: readonly (readonly [string, object])[] = [
    ['/invoices', { ...MARIA, value: 10 }],
    ['/invoices/with-plan', { ...MARIA, value: 10, payment_plan_id: plan.id }],
    ['/billing/payment-links', { title: 'Curso', amount: 10, payment_methods: ['PIX'] }],
  ]
  const newKey = async () => {
    const request = { token: receiver.token, body: { name: 'Chave' } }
    return (await api.ask('POST', '/v1/split-receivers', request)).body.split_receiver
  }
  for (const [path, body] of requests) {
    const key = await newKey()
    const issue = () => api.ask('POST', path, { token, body: { ...body, splits: [{ account: key.key, percent: 50 }] } })
    meanwhile.act = () => api.setStatus(receiver, 'SUSPENDED')
    const suspended = await issue()
    t.deepEqual(issuesIn(suspended.body), ['splits.0.account: A conta que recebe está suspensa.'], path)
    await api.setStatus(receiver, 'ACTIVE')
    const [made] = [worked(await issue()).data].flat()
    t.deepEqual(made.splits, [{ account: key.key, percent: 50, amount: null, fee_bearer: 'ISSUER' }], path)
    meanwhile.act = () => api.ask('DELETE', `/v1/split-receivers/${key.id}`, { token: receiver.token })
    const revoked = await issue()
    t.deepEqual(issuesIn(revoked.body), ['splits.0.account: O registro informado não existe.'], path)
  }
})

test('shows a key to its own account only, and audits its creation and revocation', async (t) => {
  const { api, issuer, first } = await openSplit(t)
  const { token } = first
  const ask = (method: string, path = '/1', by = token) => api.ask(method, `/v1/split-receivers${path}`, { token: by })
  for (const method of ['GET', 'DELETE']) t.is((await ask(method, '/1', issuer.token)).status, 404)
  t.deepEqual((await ask('GET', '', issuer.token)).body.split_receivers, [])
  t.is((await ask('GET')).body.split_receiver.status, 'active')
  for (let time = 0; time < 2; time += 1) t.is((await ask('DELETE')).body.split_receiver.status, 'revoked')
  const audited = (await api.every(audit.entries)).map(({ action }) => action)
  t.deepEqual(audited.filter((action) => action.startsWith('split')).toSorted(), [
    'split-receiver.created',
    'split-receiver.revoked',
  ])
})

test('takes the fee from the account that bears it, and never more than the rest from the issuer', async (t) => {
  const { api, issuer, keys, lines, sound, first, second } = await openSplit(t, 2)
  await api.ask('PUT', `/fake-bank/accounts/${issuer.id}`, { body: { taxes: { pix_in: 1 } } })
  const pay = async (splits: readonly object[]) => {
    await api.paid(issuer, { value: 10, splits })
  }
  await pay([
    { account: keys[0], percent: 25, fee_bearer: 'RECEIVER' },
    { account: keys[1], percent: 25 },
  ])
  await pay([
    { account: keys[0], percent: 60 },
    { account: keys[1], amount: 4 },
  ])
  t.deepEqual(await lines(issuer), [
    ...['pix-in 10 10', 'pix-in-fee -1 9', 'split-out -2.25 6.75', 'split-out -2.5 4.25'],
    ...['pix-in 10 14.25', 'pix-in-fee -1 13.25', 'split-out -5.4 7.85', 'split-out -3.6 4.25'],
  ])
  t.deepEqual(await lines(first), ['split-in 2.25 2.25', 'split-in 5.4 7.65'])
  t.deepEqual(await lines(second), ['split-in 2.5 2.5', 'split-in 3.6 6.1'])
  await sound()
})

test('shares each partial payment, up to the promised amounts', async (t) => {
  const { api, issuer, keys, lines, sound, first, second, show } = await openSplit(t, 2)
  await api.host.store.commit([patch(accounts, issuer.id, { set: { acceptPartial: true }, when: always })])
  const splits = [
    { account: keys[0], percent: 33.33 },
    { account: keys[1], amount: 10 },
  ]
  const charge = await api.charge(issuer, { value: 100, splits })
  for (const value of [33.33, 33.33, 43.34]) {
    const { pix } = await show(charge.id)
    await api.pay(pix?.txid ?? charge.pix.txid, { value })
    await api.drain()
    if (value > 40) break
    // Of another value, the second account would receive more or less than its amount.
    for (const other of [200, 70]) {
      const changed = await api.ask('PUT', `/invoices/${charge.id}`, { token: issuer.token, body: { value: other } })
      t.deepEqual(changed.body.error_codes, { value: ['split.fixed'] })
    }
  }
  t.deepEqual(await lines(first), ['split-in 11.1 11.1', 'split-in 11.1 22.2', 'split-in 14.44 36.64'])
  t.deepEqual(await lines(second), ['split-in 3.33 3.33', 'split-in 3.33 6.66', 'split-in 3.34 10'])
  await sound()
  // The files of each statement have the lines of its JSON.
  for (const { token } of [issuer, first, second]) {
    const { data } = (await api.ask('GET', '/consolidation/transactions?per_page=50', { token })).body
    const file = async (format: string) => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
      const request = { method: 'POST', headers, body: JSON.stringify({ format, download: true }) }
      const sent = await fetch(`${api.url}/consolidation/transactions/export-document`, request)
      return new Uint8Array(await sent.arrayBuffer())
    }
    const shown: string[][] = data
      .map(({ type, value, balance, description, receiver }: never) => [
        (type as { name: string }).name,
        value,
        balance,
        description,
        nameOf(receiver) ?? '',
      ])
      .toReversed()
      .map((line: unknown[]) => line.map(String))
    const table = (rows: readonly (readonly string[])[]) => {
      const [titles = [], ...found] = rows
      const columns = ['Tipo', 'Valor', 'Saldo', 'Descrição', 'Recebedor'].map((title) => titles.indexOf(title))
      return found.map((row) => columns.map((at) => row[at] ?? ''))
    }
    const csv: string[][] = parse(new TextDecoder().decode(await file('csv')), { bom: true, delimiter: ';' })
    const decimal = (text = '') => String(Number(text.replace(',', '.')))
    t.deepEqual(
      table(csv).map(([type, value, balance, ...texts]) => [type, decimal(value), decimal(balance), ...texts]),
      shown,
    )
    t.deepEqual(table(readWorkbook(await file('xlsx')).rows), shown)
    const pdf = textOf(await file('pdf'))
    for (const cells of shown)
      for (const text of [cells[0] ?? '', decimalText(cells[1]), cells[4] ?? '']) t.true(pdf.includes(text), text)
  }
})

test('shares boletos, cards, plans and links', async (t) => {
  const { api, issuer, keys, lines, sound, first: receiver } = await openSplit(t)
  const { token } = issuer
  worked(await api.ask('PUT', `/fake-bank/accounts/${issuer.id}`, { body: { taxes: { fee: 10, boleto: 0.5 } } }))
  const splits = [{ account: keys[0], percent: 50, fee_bearer: 'RECEIVER' }]
  const received: string[] = []
  const paid = async (...now: readonly string[]) => {
    received.push(...now)
    t.deepEqual(await lines(receiver), received)
  }
  await api.paid(issuer, { value: 10, splits })
  await paid('split-in 5 5')
  await api.paid(issuer, { value: 20, payment_method: 'BOLETO', splits })
  await paid('split-in 10 15')
  await api.paid(issuer, { value: 20, payment_method: 'BOLEPIX', splits })
  await paid('split-in 10 25')
  const sold = worked(
    await api.ask('POST', '/invoices', { token, body: { ...cardBody(CARDS.visa), value: 100, splits } }),
  )
  await paid('split-in 45 70')
  const { payments: sales } = (await api.ask('GET', `/v1/charges/${sold.data.id}/payments`, { token })).body
  t.like(sales, { amount_paid: 100, payments: [{ type: 'Liquidação Cartão', value: 100 }] })
  const whole = { ...cardBody(CARDS.visa), value: 100, splits: [{ account: keys[0], percent: 100 }] }
  const passed = worked(await api.ask('POST', '/invoices', { token, body: whole })).data
  await paid('split-in 90 160')
  const listed = (await api.ask('GET', `/v1/charges/${passed.id}/payments`, { token })).body.payments.payments
  t.like(listed, { length: 1, 0: { transaction_id: null, type: 'Liquidação Cartão', value: 100 } })
  const card = (await api.ask('GET', '/consolidation/card-transactions', { token })).body.data[0]
  t.like(card, { gross_amount: 100, fee_amount: 10, net_amount: 45, status: 'PENDING' })
  worked(await api.ask('POST', '/transactions/card/withdraw', { token, body: { amount: 45 } }))
  const terms = { description: 'Duas vezes', interval: 1, interval_type: 'months', installments_count: 2 }
  const plan = worked(await api.ask('POST', '/payment-plans', { token, body: terms })).data
  const fixed = [{ account: keys[0], amount: 3.01 }]
  const parts = { ...MARIA, value: 10, payment_plan_id: plan.id }
  const made = worked(await api.ask('POST', '/invoices/with-plan', { token, body: { ...parts, splits: fixed } })).data
  for (const { pix } of made) await api.pay(pix.txid)
  await paid('split-in 1.51 161.51', 'split-in 1.5 163.01')
  const link = await linkOf(api, issuer, { amount: 10, splits })
  t.deepEqual((await shownTo(api, issuer, link)).splits, [{ ...splits[0], amount: null }])
  // A link that exists keeps the share after the key is revoked.
  worked(await api.ask('DELETE', '/v1/split-receivers/1', { token: receiver.token }))
  await api.pay(worked(await payBy(api, link)).data.pix.txid)
  await paid('split-in 5 168.01')
  const offer = { title: 'Curso', amount: 10, payment_methods: ['PIX'], splits }
  const refused = await api.ask('POST', '/billing/payment-links', { token, body: offer })
  t.deepEqual(issuesIn(refused.body), ['splits.0.account: O registro informado não existe.'])
  await sound()
})

test('holds the share of a suspended account until it is active, and names the hold in its statement', async (t) => {
  const { api, issuer, keys, balances, lines, sound, first, second, refund } = await openSplit(t, 2)
  const texts = async (search = '') => {
    const { data } = (await api.ask('GET', `/consolidation/transactions?search=${search}`, { token: first.token })).body
    return data.map(({ value, description }: never) => `${value} ${description}`).toReversed()
  }
  const splits = keys.map((account) => ({ account, percent: 30 }))
  const charge = await api.charge(issuer, { value: 100, splits })
  const further = [await api.charge(issuer, { value: 10, splits }), await api.charge(issuer, { value: 20, splits })]
  await api.setStatus(first, 'SUSPENDED')
  worked(await api.ask('DELETE', '/v1/split-receivers/2', { token: second.token }))
  await api.pay(charge.pix.txid)
  t.deepEqual(await balances(second), { balance: 30, available: 30, reserved: 0, card: 0 })
  t.deepEqual(await balances(first), { balance: 30, available: 0, reserved: 30, card: 0 })
  t.deepEqual(await lines(first), ['split-in 30 30'])
  await sound()
  worked(await refund(charge.id, { value: 50 }))
  await api.drain(120)
  const waits = { balance: 15, available: 0, reserved: 15, card: 0 }
  t.deepEqual(await balances(first), waits)
  await api.fail('refund', 'timeout_lost')
  t.is((await refund(charge.id, {})).status, 202)
  await api.fail('refund', 'refuse')
  await api.drain(120)
  t.deepEqual(await balances(first), waits)
  t.true(
    (await api.every(splitShares)).some(({ accountId, heldCents }) => accountId === first.id && heldCents === 1_500),
  )
  await sound()
  for (const { pix } of further) await api.pay(pix.txid)
  worked(await refund(further[0]?.id, {}))
  // As 0.18.0 stored it.
  const last = (await api.every(splitShares)).findLast(({ accountId }) => accountId === first.id)
  await api.host.store.commit([patch(splitShares, last?.id ?? 0, { set: { heldEntryId: null }, when: always })])
  const held = 'Split de Escola Aurora (retido até a conta ficar ativa)'
  const returned = ['-15 Split de Escola Aurora', '-3 Split de Escola Aurora']
  t.deepEqual(await texts(), [`30 ${held}`, returned[0], `3 ${held}`, `6 ${held}`, returned[1]])
  await api.setStatus(first, 'ACTIVE')
  await api.drain(120)
  t.deepEqual(await balances(first), { balance: 21, available: 21, reserved: 0, card: 0 })
  const released = 'Split de Escola Aurora (liberado em 23/11/2026)'
  t.deepEqual(await texts(), [`30 ${released}`, returned[0], '3 Split de Escola Aurora', `6 ${released}`, returned[1]])
  t.deepEqual(await texts('liberado'), [`30 ${released}`, `6 ${released}`])
  await sound()
})

test('leaves the share of a removed account to the issuer, also of one that is removed at the same moment', async (t) => {
  const meanwhile = justBefore()
  const instead = ({ store }: Host) => ({ store: meanwhile.on(store) })
  const { api, issuer, keys, balances, lines, sound, first, second } = await openSplit(t, 2, { instead })
  const splits = keys.map((account) => ({ account, percent: 30 }))
  const [charge, next] = [
    await api.charge(issuer, { value: 100, splits }),
    await api.charge(issuer, { value: 100, splits }),
  ]
  const remove = ({ id, token }: typeof issuer) => api.ask('DELETE', `/v1/organizations/${id}`, { token })
  worked(await remove(first))
  await api.pay(charge.pix.txid)
  t.deepEqual(await balances(issuer), { balance: 70, available: 70, reserved: 0, card: 0 })
  t.deepEqual(await lines(issuer), ['pix-in 100 100', 'split-out -30 70'])
  const { data } = (await api.ask('GET', `/invoices/${charge.id}`, { token: issuer.token })).body
  t.deepEqual(pluck(data.splits, 'received'), [0, 30])
  const gone = { set: { removedAt: '2026-11-23T13:05:09.123Z' }, when: always }
  meanwhile.act = () => api.host.store.commit([patch(accounts, second.id, gone)])
  await api.pay(next.pix.txid)
  t.deepEqual(await balances(issuer), { balance: 170, available: 170, reserved: 0, card: 0 })
  t.deepEqual(column(await api.every(splitShares), 'accountId'), [second.id])
  await sound()
})

test('returns the held share of an account that a former release removed to the issuer, once', async (t) => {
  const { api, issuer, keys, balances, lines, sound, first, second, show, refund } = await openSplit(t, 2)
  const splits = keys.map((account) => ({ account, percent: 30 }))
  const charge = await api.charge(issuer, { value: 100, description: 'Aula', splits })
  await api.setStatus(first, 'SUSPENDED')
  await api.setStatus(second, 'SUSPENDED')
  await api.pay(charge.pix.txid)
  worked(await refund(charge.id, { value: 10 }))
  t.deepEqual(await balances(first), { balance: 27, available: 0, reserved: 27, card: 0 })
  // A refund that the bank has not answered reserves a part of the share.
  await api.fail('refund', 'timeout_lost')
  t.is((await refund(charge.id, { value: 20 })).status, 202)
  const gone = { set: { removedAt: '2026-11-23T13:05:09.123Z' }, when: always }
  await api.host.store.commit([patch(accounts, first.id, gone)])
  await api.fail('refund', 'refuse')
  await api.drain(120)
  await api.drain(120)
  const [held, ...more] = (await api.every(splitShares)).filter(({ accountId }) => accountId === first.id)
  t.deepEqual(more, [])
  t.like(held, { heldCents: 0, heldEntryId: null, reservedCents: 0, returnedCents: 2_700 })
  const posted = await lines(issuer)
  t.deepEqual(posted.slice(-1), ['split-return 27 63'])
  const { data } = (await api.ask('GET', '/consolidation/transactions', { token: issuer.token })).body
  t.like(data[0], { description: 'Aula', value: 27 })
  // The share of the suspended account waits.
  t.deepEqual(await balances(second), { balance: 27, available: 0, reserved: 27, card: 0 })
  await sound()
  await api.drain(120)
  t.deepEqual(await lines(issuer), posted)
  const shown = await show(charge.id)
  t.deepEqual(pluck(shown.splits, 'received'), [3, 30])
  // The issuer pays what the removed account no longer has, and a refund that fails gives it nothing.
  await api.fail('refund', 'refuse')
  const book = () => api.host.store.find(bookOf(first.id))
  t.is((await refund(charge.id)).body.error_code, 'bank.refused')
  t.like(await book(), { balanceCents: 0, availableCents: 0 })
  worked(await refund(charge.id))
  t.is((await balances(issuer)).balance, 0)
  t.like(await book(), { balanceCents: 0, availableCents: 0 })
  await sound()
})
