import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'ava'
import { sqliteStore } from '../../../../../adapters/sqlite/store.ts'
import { insert } from '../../../../../core/kernel/records/change.ts'
import { addDays } from '../../../../../core/kernel/values/day.ts'
import { cardTransactions } from '../../../../../core/payments/cards/card-transaction.ts'
import { emptyLedgerAccount, entries, ledgerAccounts } from '../../../../../core/payments/ledger/ledger.ts'
import { payments, paymentsCollections } from '../../../../../core/payments/payments.ts'
import type { Query } from '../../../../../core/ports/store.ts'
import { NOW, testPorts } from '../../access/test-ports.ts'
import { anEntry } from '../entries.ts'

const SALES = 2_000
const ACTOR = { userId: 1, accountId: 1, roleId: 1, permissions: [] }
const paid = { from: '2024-03-15', to: '2024-04-15' }

test('sales by card are found by their places whatever they are narrowed by, and figures are read from tallies', async (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'portico-'))
  const store = await sqliteStore(join(directory, 'plans.db'), paymentsCollections)
  t.teardown(async () => {
    await store.close()
    rmSync(directory, { recursive: true })
  })
  const sales = Array.from({ length: SALES }, (_, at) => {
    const place = at + 1
    const amounts = { grossCents: 10, feeCents: 1, netCents: 9, settledCents: 9 * place }
    return { id: place, accountId: 1, place, ...amounts, paymentDate: addDays('2023-01-01', at / 3) }
  })
  for (let first = 0; first < SALES; first += 500)
    await store.commit(sales.slice(first, first + 500).map((sale) => insert(cardTransactions, sale)))
  const book = {
    ...emptyLedgerAccount(1, 'card', NOW),
    settlements: SALES,
    settledCents: 9 * SALES,
    balanceCents: 9_000,
  }
  await store.commit([insert(ledgerAccounts, book)])
  const lines = sales.map(({ id, paymentDate: day }) =>
    anEntry({ id, accountId: 1, valueCents: 9, day, book: '1:card', status: 5, typeId: 16 }),
  )
  for (let first = 0; first < SALES; first += 500)
    await store.commit(lines.slice(first, first + 500).map((line) => insert(entries, line)))
  await store.commit([insert(ledgerAccounts, { ...emptyLedgerAccount(1, 'main', NOW), seq: SALES })])
  const asked: Query[] = []
  const note = <A extends Query>(ask: A): A => {
    if (ask.kind !== 'find') asked.push(ask)
    return ask
  }
  const { cardSales, extracts, statistics } = payments({
    ...testPorts().ports,
    store: {
      ...store,
      list: (ask) => store.list(note(ask)),
      group: (ask) => store.group(note(ask)),
      read: (asks) => {
        for (const ask of Object.values(asks)) note(ask)
        return store.read(asks)
      },
    },
  })
  const days = { from: '2024-03-15', to: '2024-04-15' }
  const cards = ['PIXS_COUNT', 'BOLETOS_COUNT', 'CHARGE_SUM_PAID', 'PIX_IN_SUM'] as const
  const asks: readonly (readonly [about: string, () => Promise<unknown>])[] = [
    ['all', cardSales.list(ACTOR, {})],
    ['pending', cardSales.list(ACTOR, { status: 'PENDING' })],
    ['withdrawn, far in', cardSales.list(ACTOR, { status: 'WITHDRAWN', page: 30 })],
    ['withdrawn of some days', cardSales.list(ACTOR, { status: 'WITHDRAWN', paid })],
    ['summary', cardSales.summarize(ACTOR, { paid })],
    ['entries', cardSales.listEntries(ACTOR, {})],
    ['entries of some days', cardSales.listEntries(ACTOR, { days })],
    ['balance', cardSales.readBalance(ACTOR, { days })],
    ['a period', extracts.list(ACTOR, { created: days })],
    ['what is confirmed', extracts.listConfirmed(ACTOR, {})],
    ['by day', extracts.byDay(ACTOR, { paid })],
    ['by type', extracts.byType(ACTOR, { paid })],
    ['by method', extracts.byMethod(ACTOR, { paid })],
    ['statistics', statistics.read(ACTOR, { cards: [...cards], from: paid.from, to: paid.to })],
    ['boletos', statistics.countBoletos(ACTOR, {})],
  ].map(([about, ask]) => [about as string, ask as () => Promise<unknown>] as const)
  for (const [about, ask] of asks) {
    asked.length = 0
    await ask()
    for (const each of asked) {
      const plan = await store.explain(each)
      const of = `${about}: ${each.kind} of ${each.from.name}\n${plan}`
      // What runs out is looked for across accounts, and is few.
      const isFew = each.kind === 'group' && each.when === 'lapsing'
      t.regex(plan, each.kind === 'group' && !isFew ? /_tally_/ : /USING (COVERING )?INDEX|INTEGER PRIMARY KEY/, of)
      if (each.kind === 'list') t.false(plan.includes('TEMP B-TREE'), of)
    }
  }
  const { right: page } = (await cardSales.list(ACTOR, { status: 'WITHDRAWN', page: 2 })()) as {
    right: { total: number }
  }
  t.is(page.total, 1_000)
})
