import type { Failure } from '../../../core/failure.ts'
import { type Either, isLeft, right } from '../../../core/fp.ts'
import { dayOf } from '../../../core/kernel/values/day.ts'
import type { NewCharge } from '../../../core/payments/charges/new-charge.ts'
import { type Act, begin, type Cast, type Merchant } from '../actors/cast.ts'
import { keepUp } from '../actors/operators.ts'
import { findMerchants, logIn, register } from '../actors/people.ts'
import type { Environment } from '../environment/environment.ts'
import { ask, type Process } from '../environment/process.ts'
import type { Snapshot } from '../environment/snapshot.ts'

const SECOND_MS = 1_000
export const DAY_MS = 86_400 * SECOND_MS
/** Longer than any lease. */
const LATER_MS = 400 * SECOND_MS
const MOST_TRIES = 12

/** What people do one after the other, whoever dies meanwhile: it comes to the same end. */
export interface Story {
  readonly name: string
  /** The banks that can do all of it. */
  readonly banks: readonly string[]
  tell(environment: Environment, cast: Cast): Promise<void>
  /** What is there at its end, and nothing else. */
  readonly end: unknown
  endOf(held: Snapshot): unknown
}

/** Somebody does it again, ever later, until it came about. */
export const until = async (
  environment: Environment,
  cast: Cast,
  act: Act,
  cameAbout: () => boolean | Promise<boolean>,
): Promise<void> => {
  for (let tries = 1; tries <= MOST_TRIES; tries += 1) {
    keepUp(environment)
    begin(environment, cast, act)
    await environment.agenda.run(1.2 * SECOND_MS)
    if (await cameAbout()) return
    environment.agenda.jump(LATER_MS)
  }
  throw new Error('it never came about')
}

/** Somebody is there before anything goes wrong. */
export const setOut = (environment: Environment, cast: Cast): Promise<void> =>
  until(environment, cast, register, () => cast.people.some(({ userId }) => userId !== null))

/** Somebody opens accounts, and finds that they have them: in the order of their ids. */
export const openAccounts = async (
  environment: Environment,
  cast: Cast,
  documents: readonly string[],
): Promise<readonly Merchant[]> => {
  const [person] = cast.people
  if (!person) throw new Error('nobody is there')
  for (const [index, document] of documents.entries()) {
    const open: Act = async (_world, _cast, process) => {
      const input = { name: 'Padaria', email: null, document }
      await ask(process, process.pay.openings.open({ userId: person.userId ?? 0 }, input))
    }
    await until(environment, cast, open, async () => (await environment.snapshot()).accounts.length > index)
  }
  const look: Act = async (...at) => {
    await logIn(...at)
    await findMerchants(...at)
  }
  await until(environment, cast, look, () => cast.merchants.length === documents.length)
  return cast.merchants.toSorted((a, b) => a.accountId - b.accountId)
}

/** A Pix of 50 reais that is due tomorrow. */
export const pixDueTomorrow = ({ agenda }: Environment) =>
  ({
    valueCents: 5_000,
    paymentMethod: 'PIX',
    dueDate: dayOf(new Date(agenda.nowMs() + DAY_MS).toISOString()),
    payer: { name: 'Fulano', email: 'fulano@cliente.test', document: '12345678909' },
    webhook: 'https://um.test/',
  }) satisfies NewCharge

/** A payer pays, once, however often somebody looks whether they have. */
export const payOnce = async (
  environment: Environment,
  cast: Cast,
  order: { readonly txid: string; readonly valueCents: number; readonly endToEndId: string },
): Promise<void> => {
  const isHeld = async () =>
    (await environment.bank.books()).payments.some(({ endToEndId }) => endToEndId === order.endToEndId)
  const pay: Act = async () => {
    if (!(await isHeld())) await environment.bank.pay({ ...order, payer: null })
  }
  await until(environment, cast, pay, isHeld)
}

/** Asks until an answer arrives. */
export const untilAnswered = async (
  environment: Environment,
  cast: Cast,
  does: (process: Process) => () => Promise<Either<Failure, unknown>>,
): Promise<void> => {
  const answers: unknown[] = []
  const act: Act = async (_world, _cast, process) => {
    const answer = await ask(process, does(process))
    if (answer && !isLeft(answer)) answers.push(right(answer.right))
  }
  await until(environment, cast, act, () => answers.length > 0)
}
