import test from 'ava'
import fc from 'fast-check'
import { insert } from '../../../../core/kernel/records/record.ts'
import { accounts } from '../../../../core/payments/accounts/account.ts'
import { charges } from '../../../../core/payments/charges/charge.ts'
import { events } from '../../../../core/payments/events.ts'
import { entries, journals, ledgerAccounts, newLedgerAccount } from '../../../../core/payments/ledger/ledger.ts'
import { anAccount } from '../records.ts'
import { NOW, openPayments, PAYER, right } from '../world.ts'

/** The payments of a charge, each with an id that may be repeated. */
const AMOUNTS = [1, 50, 99, 100, 101, 250, 15_050, 99_999]

interface Payment {
  readonly charge: number
  readonly nth: number
}

type Step =
  | { readonly do: 'issue'; readonly cents: number }
  | { readonly do: 'pay'; readonly at: readonly Payment[] }
  | { readonly do: 'cancel'; readonly charge: number }
  | { readonly do: 'fee'; readonly cents: number }
  | { readonly do: 'wait'; readonly seconds: number }

const cents = fc.integer({ min: 1, max: 100_000 })
const which = fc.nat({ max: 4 })
const payment = fc.record({ charge: which, nth: fc.nat({ max: AMOUNTS.length - 1 }) })
const at = fc.array(payment, { minLength: 1, maxLength: 8 })
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 2, arbitrary: fc.record({ do: fc.constant('issue' as const), cents }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('pay' as const), at }) },
  fc.record({ do: fc.constant('cancel' as const), charge: which }),
  fc.record({ do: fc.constant('fee' as const), cents: fc.integer({ min: 0, max: 300 }) }),
  fc.record({ do: fc.constant('wait' as const), seconds: fc.integer({ min: -86_400, max: 86_400 }) }),
)

/** An account in memory, and the expected books computed independently. */
const open = async () => {
  const { pay, ports, clock, every } = openPayments()
  await ports.store.commit([
    insert(accounts, anAccount({ pixKey: 'loja@example.com' })),
    newLedgerAccount(1, 'main', NOW),
  ])
  const pencil = {
    fee: 0,
    txids: [] as string[],
    posted: new Map<string, { charge: number; cents: number; fee: number }>(),
  }

  const steps: { readonly [K in Step['do']]: (step: Extract<Step, { do: K }>) => Promise<void> } = {
    async issue({ cents: valueCents }) {
      const order = { valueCents, paymentMethod: 'PIX', dueDate: '2099-01-01', payer: PAYER } as const
      const { charge } = right(await pay.charges.issue({ userId: 1, accountId: 1 }, order)())
      pencil.txids.push(charge.txid ?? '')
    },
    async pay({ at }) {
      const notices = at.flatMap(({ charge, nth }) => {
        const [txid, valueCents = 0] = [pencil.txids[charge], AMOUNTS[nth]]
        const notice = { endToEndId: `E-${charge}-${nth}`, method: 'pix', valueCents, paidAt: clock.now() } as const
        return txid ? [{ charge, notice: { ...notice, txid, payer: null } }] : []
      })
      for (const answer of await Promise.all(notices.map(({ notice }) => pay.bank.paid(notice)()))) right(answer)
      for (const { charge, notice } of notices) {
        const { endToEndId, valueCents } = notice
        if (pencil.posted.has(endToEndId)) continue
        pencil.posted.set(endToEndId, { charge, cents: valueCents, fee: Math.min(pencil.fee, valueCents) })
      }
    },
    async cancel({ charge }) {
      const txid = pencil.txids[charge]
      if (txid) await pay.bank.cancelled(txid)()
    },
    async fee({ cents: pixInCents }) {
      pencil.fee = pixInCents
      await pay.accounts.setTerms(1, { fees: { pixInCents } })()
    },
    async wait({ seconds }) {
      clock.advance(seconds)
    },
  }
  return { pay, pencil, every, run: (each: Step) => steps[each.do](each as never) }
}

test('keeps exact books for repeated, concurrent and late payments', async (t) => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      const { pay, pencil, every, run } = await open()
      for (const each of steps) await run(each)
      const posted = [...pencil.posted.values()]
      const sum = (of: (each: (typeof posted)[number]) => number) => posted.reduce((total, each) => total + of(each), 0)

      const lines = (await every(entries)).toSorted((a, b) => a.seq - b.seq)
      let running = 0
      let [lastAt, lastDay] = ['', '']
      for (const [index, line] of lines.entries()) {
        running += line.valueCents
        t.deepEqual([line.seq, line.balanceCents], [index + 1, running])
        t.true(line.datetime >= lastAt && line.day >= lastDay)
        lastAt = line.datetime
        lastDay = line.day
      }
      t.is(
        running,
        sum(({ cents: gross, fee }) => gross - fee),
      )
      t.like((await every(ledgerAccounts))[0], { balanceCents: running, availableCents: running, seq: lines.length })

      const journal = await every(journals)
      t.is(journal.length, posted.length)
      for (const { id, legs } of journal) {
        t.is(
          legs.reduce((total, leg) => total + leg.cents, 0),
          0,
        )
        const [gross, fee, ...more] = lines.filter(({ journalId }) => journalId === id)
        t.deepEqual(more, [])
        t.true((gross?.seq ?? 0) + 1 === (fee?.seq ?? (gross?.seq ?? 0) + 1))
      }

      const filter = { page: 1, perPage: 500 }
      const shown = right(await pay.statements.listTransactions({ accountId: 1 }, filter)())
      t.like(shown, {
        total: lines.length,
        incomeCents: sum((each) => each.cents),
        expensesCents: sum((each) => each.fee),
      })
      const seqs = (of: readonly { readonly seq: number }[]) => of.map(({ seq }) => seq)
      t.deepEqual(seqs(shown.records), seqs(lines).reverse())

      const told = await every(events)
      for (const [index, charge] of (await every(charges)).entries()) {
        const own = posted.filter((each) => each.charge === index)
        const received = own.reduce((total, each) => total + each.cents, 0)
        const count = (...types: readonly string[]) =>
          told.filter(({ subjectId, type }) => subjectId === charge.id && types.includes(type)).length
        t.is(count('charge.created'), 1)
        t.is(count('charge.paid'), charge.status === 'paid' ? 1 : 0)
        t.is(count('charge.cancelled'), charge.status === 'cancelled' ? 1 : 0)
        t.is(count('pix.received', 'charge.paid'), own.length)
        // It also counts the money that a cancelled charge has received.
        t.is(charge.amountPaidCents, own.length > 0 ? received : null)
      }
    }),
    { numRuns: 100 },
  )
})
