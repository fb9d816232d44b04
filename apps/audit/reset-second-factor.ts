import { isLeft } from '../../core/failure.ts'
import { payments } from '../../core/payments/payments.ts'
import { portsOf, publicUrlOf } from '../bank/payments-ports.ts'
import { CannotStart, readEnvironment } from '../host/environment.ts'
import { type Host, openHost } from '../host/host.ts'
import { openExistingStore, requireStore } from '../host/open-store.ts'
import { runProgram } from '../host/run.ts'
import { pinoLog } from '../http/telemetry.ts'
import { payments as paymentsApp } from '../payments/app.ts'
import { realEstate } from '../real-estate/app.ts'

const USAGE = 'portico reset-second-factor EMAIL'

const FAULTS: Readonly<Record<string, string>> = {
  fields: USAGE,
  'user.unknown': 'EMAIL: the store has no user with this e-mail',
  'second-factor.off': 'EMAIL: the user has no second factor',
}

const warn = (line: string): void => {
  process.stderr.write(`${line}\n`)
}

/** Removes the second factor of a person, also during operation. The server sends the mail. Throws `CannotStart`. */
const resetFactor = async (host: Host, email: string): Promise<void> => {
  const ports = await portsOf(host, publicUrlOf(host.settings), pinoLog('payments', 'silent'))
  try {
    const outcome = await payments(ports).secondFactor.reset({ email })()
    if (isLeft(outcome)) throw new CannotStart(FAULTS[outcome.left.code] ?? outcome.left.code)
    process.stdout.write(`${email}: second factor and passkeys removed, sessions ended\n`)
  } finally {
    await ports.close()
  }
}

await runProgram(async () => {
  const [email, ...rest] = process.argv.slice(2).filter((word) => word !== 'reset-second-factor')
  if (email === undefined || rest.length > 0) throw new CannotStart(USAGE)
  const settings = readEnvironment(process.env)
  await requireStore(settings)
  const host = await openHost(settings, [paymentsApp, realEstate], warn, { open: openExistingStore })
  try {
    await resetFactor(host, email)
  } finally {
    await host.close()
  }
})
