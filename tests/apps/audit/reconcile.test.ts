import test from 'ava'
import { payments as paidIn } from '../../../adapters/bank/fake/books.ts'
import { always, patch } from '../../../core/kernel/records/record.ts'
import { FULL } from '../../size.ts'
import { printed, printedInTurn } from '../host/process.ts'
import { openWithdrawals } from '../payments/withdrawals/withdrawing.ts'

const DAY = '2026-11-23'

test('compares a day with the bank while the store serves, with a line for each difference, and exit code 0 or 1', async (t) => {
  const w = await openWithdrawals(t)
  t.is((await w.withdraw(10)).status, 201)
  const { STORE_URL } = w.api.host.settings
  const agreed = { code: 0, out: [`${DAY}: missing 0, extra 0, different 0`], err: '' }
  const days = [['--day', DAY], [`--day=${DAY}`]].map((words) => [['reconcile', ...words], STORE_URL] as const)
  t.deepEqual(await printedInTurn(days), [agreed, agreed])
  if (FULL) t.deepEqual(await printed(['audit'], STORE_URL).then(({ code, err }) => [code, err]), [0, ''])

  const [paid] = await w.api.every(paidIn)
  await w.api.host.store.commit([patch(paidIn, paid?.id ?? '', { set: { valueCents: 1 }, when: always })])
  const { code, out, err } = await printed(['reconcile', '--day', DAY], STORE_URL)
  t.deepEqual([code, err, out.at(-1)], [1, '', `${DAY}: missing 0, extra 0, different 1`])
  t.is(out.length, 2)
  t.regex(out[0] ?? '', new RegExp(`^different: .*${paid?.id}.* 0\\.01 at the bank, 1000\\.00 in the ledger$`))
})

const WRONG_DAYS = [
  [['--day', '2026-02-30'], '--day: accepts a day that is over, such as 2026-11-23\n'],
  [['--day', '2999-01-01'], '--day: accepts a day that is over, such as 2026-11-23\n'],
  [['--day'], 'portico reconcile [--day YYYY-MM-DD]\n'],
  [['yesterday'], 'portico reconcile [--day YYYY-MM-DD]\n'],
] as const

test('refuses wrong days and a missing store with one line', async (t) => {
  const { api } = await openWithdrawals(t, 0)
  const { STORE_URL } = api.host.settings
  const days = WRONG_DAYS.map(([words]) => [['reconcile', ...words], STORE_URL] as const)
  t.deepEqual(
    await printedInTurn([...days, [['reconcile'], 'sqlite:/nowhere/portico.db']]),
    [...WRONG_DAYS.map(([, err]) => err), 'STORE_URL: there is no /nowhere/portico.db\n'].map((err) => ({
      code: 1,
      out: [''],
      err,
    })),
  )
})
