import { isLeft } from '../../core/failure.ts'
import { addDays, dayOf } from '../../core/kernel/values/day.ts'
import { payments } from '../../core/payments/payments.ts'
import { openBank } from '../bank/open-bank.ts'
import { portsOf, publicUrlOf } from '../bank/payments-ports.ts'
import { CannotStart, readEnvironment } from '../host/environment.ts'
import { type Host, openHost } from '../host/host.ts'
import { openExistingStore, requireStore } from '../host/open-store.ts'
import { runProgram } from '../host/run.ts'
import { pinoLog } from '../http/telemetry.ts'
import { payments as paymentsApp } from '../payments/app.ts'
import { realEstate } from '../real-estate/app.ts'
import { differenceLine } from './findings.ts'

const FAULTS: Readonly<Record<string, string>> = {
  fields: '--day: accepts a day that is over, such as 2026-11-23',
  'bank.unsupported': 'BANK: this bank has no list of payments to compare with',
  'bank.unavailable': 'BANK: the bank does not answer',
}

const warn = (line: string): void => {
  process.stderr.write(`${line}\n`)
}

/** Compares a day of the bank with the ledger, also while it serves; reports whether they agree. */
const reconcile = async (host: Host, requested: string | null): Promise<boolean> => {
  const { settings } = host
  const publicUrl = publicUrlOf(settings)
  const bank = openBank(host, publicUrl, warn)
  const ports = await portsOf(host, publicUrl, pinoLog('payments', 'silent'), bank)
  try {
    const day = requested ?? addDays(dayOf(host.clock.steady()), -1)
    const outcome = await payments(ports).reconciliation.reconcile({ day })()
    if (isLeft(outcome)) throw new CannotStart(FAULTS[outcome.left.code] ?? outcome.left.code)
    const { missing, extra, different, unreadable, differences } = outcome.right
    for await (const found of differences()) process.stdout.write(`${differenceLine(found)}\n`)
    const unread = unreadable > 0 ? `, unreadable ${unreadable}` : ''
    process.stdout.write(`${day}: missing ${missing}, extra ${extra}, different ${different}${unread}\n`)
    return missing + extra + different + unreadable === 0
  } finally {
    await ports.close()
    await bank.close()
  }
}

const USAGE = 'portico reconcile [--day YYYY-MM-DD]'

/** Reads the day from the arguments; null if they are empty. Throws `CannotStart`. */
const dayIn = (words: readonly string[]): string | null => {
  const options = words.filter((word) => word !== 'reconcile')
  if (options.length === 0) return null
  const [first = '', second] = options
  const day = first.startsWith('--day=') ? first.slice('--day='.length) : first === '--day' ? second : undefined
  const isAll = options.length === (first === '--day' ? 2 : 1)
  if (day === undefined || !isAll) throw new CannotStart(USAGE)
  return day
}

await runProgram(async () => {
  const settings = readEnvironment(process.env)
  await requireStore(settings)
  const host = await openHost(settings, [paymentsApp, realEstate], warn, { open: openExistingStore })
  try {
    process.exitCode = (await reconcile(host, dayIn(process.argv.slice(2)))) ? 0 : 1
  } finally {
    await host.close()
  }
})
