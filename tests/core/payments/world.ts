import { fakeBankCollections } from '../../../adapters/bank/fake/books.ts'
import { fakeBankConsole } from '../../../adapters/bank/fake/mod.ts'
import { type SetClock, setClock } from '../../../adapters/clock/set-clock.ts'
import { aesCipher } from '../../../adapters/crypto/cipher.ts'
import { seededRandom } from '../../../adapters/crypto/random.ts'
import { jwtTokens } from '../../../adapters/crypto/tokens.ts'
import { memoryPorts } from '../../../adapters/memory/memory-ports.ts'
import { memoryMailer, memoryMessenger, memorySender } from '../../../adapters/memory/memory-services.ts'
import { memoryStore } from '../../../adapters/memory/memory-store.ts'
import { memoryLog } from '../../../adapters/telemetry/log.ts'
import { type Either, type Failure, isLeft } from '../../../core/failure.ts'
import type { Collection, Rec } from '../../../core/kernel/records/record.ts'
import type { IdPool } from '../../../core/kernel/running/ids.ts'
import { freshOf } from '../../../core/kernel/running/use-case.ts'
import { isCpf } from '../../../core/kernel/values/tax-id.ts'
import { plainText } from '../../../core/office/mail.ts'
import type { Member } from '../../../core/payments/access/authenticate.ts'
import type { NewCharge } from '../../../core/payments/charges/new-charge.ts'
import { mails, templateOf } from '../../../core/payments/office.ts'
import { type Payments, payments, paymentsCollections } from '../../../core/payments/payments.ts'
import type { PaymentsPorts } from '../../../core/payments/payments-ports.ts'
import type { Hasher } from '../../../core/ports/identity.ts'
import type { Find, Group, List, Store } from '../../../core/ports/store.ts'
import { everyRecord } from '../../every-record.ts'

// The world of a test of the payments core. `openPayments` opens a core in memory; its givens are the merchants,
// charges and payments that a test begins with. `records.ts` has records for tests of a decision, which need no store.

/** A Monday, 10:05 in São Paulo. */
export const NOW = '2026-11-23T13:05:09.123Z'
export const ORIGIN = { address: '203.0.113.7', device: null }
/** The password that the examples of the rows send, too. */
export const PASSWORD = 'correto e longo'
export const PIN = '135790'
export const PAYER = { name: 'Maria da Silva', email: 'maria@example.com', document: '12345678909' }

let count = 0
const next = (): number => {
  count += 1
  return count
}

/** Returns a new valid CPF. */
export const anyDocument = (): string => {
  const base = `${100_000_000 + next()}`
  for (let digits = 0; digits < 100; digits += 1) {
    const document = base + `${digits}`.padStart(2, '0')
    if (isCpf(document)) return document
  }
  throw new Error(`no check digits for ${base}`)
}

export const anyEmail = (): string => `pessoa${next()}@example.com`

/** The collections of payments and of the embedded bank. */
export const WORLD_COLLECTIONS = [...paymentsCollections, ...fakeBankCollections]

interface WorldOptions {
  /** A store that processes share; by default a new one in memory. */
  readonly store?: Store | undefined
  readonly clock?: SetClock
  /** The seed of its random numbers: two processes on one store need different ones. */
  readonly seed?: number
  /** Replaces ports. */
  readonly instead?: ((own: PaymentsPorts) => Partial<PaymentsPorts>) | undefined
}

/**
 * Opens a payments core in memory: a set clock, the embedded bank, mails, messages and webhooks that are recorded,
 * hashes without cost, and seeded random numbers. Worlds on one store are processes of one installation.
 */
export const openPayments = ({ store: plain, clock = setClock(NOW), seed = 7, instead }: WorldOptions = {}) => {
  const { store, reads } = counted(plain ?? memoryStore(WORLD_COLLECTIONS))
  const { hasher, compared } = cheapHasher()
  const services = { mailer: memoryMailer(), messenger: memoryMessenger(), webhooks: memorySender(), log: memoryLog() }
  const keys = { cipher: aesCipher(new Uint8Array(32).fill(1)), tokens: jwtTokens(new Uint8Array(32).fill(2)) }
  const own = memoryPorts({ store, clock, random: seededRandom(seed), hasher, ...keys, ...services })
  const pay = payments({ ...own, ...instead?.(own) })
  const { ports } = pay
  const every = <R extends Rec>(from: Collection<R>) => everyRecord(store, from)
  let worker: ReturnType<Payments['worker']> | null = null
  return {
    pay,
    ports,
    store,
    clock,
    ...services,
    /** The secrets that the hasher has compared. */
    compared,
    /** The number of reads of the store, several at one instant as one. */
    reads,
    every,
    /** All records of payments as a text, to detect any write. */
    stored: async (): Promise<string> => {
      const all: unknown[] = []
      for (const each of pay.collections) for (const record of await every(each)) all.push([each.name, record])
      return JSON.stringify(all)
    },
    /** Runs the worker until no record is due. */
    drain: () => {
      worker ??= pay.worker({ report: () => {} })
      return worker.drain()
    },
    /** The draws of a decision under test; ids start at 101. */
    fresh: () => freshOf({ ...ports, ids: idsFrom(101) }).fresh,
    /** The texts of the mails queued for an address, oldest first; the order of those of one instant is undefined. */
    mailsTo: async (email: string) =>
      (await every(mails))
        .filter(({ to }) => to === email)
        .sort((a, b) => (a.createdAt < b.createdAt ? -1 : 1))
        .map((mail) => plainText(templateOf(ports.cipher, mail))),
    ...givens(pay),
  }
}

export type World = ReturnType<typeof openPayments>
export type Givens = ReturnType<typeof givens>

/** A merchant, as its member who acts. */
interface Acting {
  readonly member: Member
}

/** The givens of a test, made over the facade. */
export const givens = (pay: Payments) => {
  /** Authenticates again, with the present memberships. */
  const again = async (token: string) => right(await pay.sessions.authenticate(token, ORIGIN)())
  /** Registers a user. */
  const person = async (email = anyEmail(), name = 'Ana Souza') => {
    const signedIn = right(await pay.people.register({ name, email, password: PASSWORD, phone: null }, ORIGIN)())
    const token = signedIn.accessToken
    return { email, token, signedIn, userId: signedIn.user.id, caller: await again(token) }
  }
  const memberOf = async (token: string) =>
    right(await pay.access.resolveAccount(await again(token), { account: null, organization: null }, 'v1')())
  /** Registers a user with an account, which is inactive. */
  const merchant = async ({ email = anyEmail(), document = anyDocument(), name = 'Escola Aurora' } = {}) => {
    const { caller, ...owner } = await person(email)
    const account = right(await pay.openings.open(caller, { name, email: null, document })())
    const member = await memberOf(owner.token)
    const apiKey = right(await pay.access.readAccount(member)()).secrets?.apiKey ?? ''
    return { ...owner, id: account.id, account, member, apiKey, pixKey: account.pixKey ?? '' }
  }
  /** Issues a Pix charge of R$ 150.50. */
  const charge = async ({ member }: Acting, over: Partial<NewCharge> = {}) => {
    const order = { valueCents: 15_050, paymentMethod: 'PIX', dueDate: '2099-12-31', payer: PAYER } as const
    return right(await pay.charges.issue(member, { ...order, ...over })()).charge
  }
  const bank = fakeBankConsole(pay.ports, pay.bank)
  return {
    /** The console of the embedded bank. */
    bank,
    person,
    again,
    merchant,
    /** A merchant whose account may send money. */
    activeMerchant: async (over: Parameters<typeof merchant>[0] = {}) => {
      const made = await merchant(over)
      right(await pay.organizations.update(made.member, { status: 'ACTIVE' })())
      return { ...made, member: await memberOf(made.token) }
    },
    /** Sets the PIN of an account. */
    pin: async ({ member }: Acting) => right(await pay.accounts.setPin(member, { pin: PIN })()),
    client: async ({ member }: Acting, over = {}) => right(await pay.clients.create(member, { ...PAYER, ...over })()),
    charge,
    /** Issues a Pix charge, which is paid. */
    paid: async (of: Acting, valueCents: number, over: Partial<NewCharge> = {}) => {
      const issued = await charge(of, { ...over, valueCents })
      right(await bank.pay({ txid: issued.txid ?? '' })())
      return issued
    },
  }
}

/** The world, and Maria, who is registered and signed in. */
export const withPerson = async (options: WorldOptions = {}) => {
  const world = openPayments(options)
  return { ...world, ...(await world.person('maria@example.com', 'Maria')) }
}

/** A hasher without cost that records the compared secrets. */
export const cheapHasher = () => {
  const compared: string[] = []
  const hasher: Hasher = {
    hash: async (secret) => `hash of ${secret}`,
    verify: async (secret, stored) => {
      compared.push(secret)
      return stored === `hash of ${secret}`
    },
    verifyDummy: async (secret) => {
      compared.push(secret)
    },
  }
  return { hasher, compared }
}

/** Counts the reads, several at one instant as one. */
const counted = (store: Store): { readonly store: Store; readonly reads: () => number } => {
  let reads = 0
  const count = <A>(answer: A): A => {
    reads += 1
    return answer
  }
  return {
    reads: () => reads,
    store: {
      ...store,
      find: <R extends Rec>(ask: Find<R>) => count(store.find(ask)),
      list: <R extends Rec>(ask: List<R>) => count(store.list(ask)),
      group: <R extends Rec>(ask: Group<R>) => count(store.group(ask)),
      read: (asks) => count(store.read(asks)),
    },
  }
}

/** Ids from a first one. */
export const idsFrom = (first: number): IdPool => {
  let next = first
  return {
    draw: () => {
      next += 1
      return next - 1
    },
    refill: async () => {},
    returnIds: async () => {},
  }
}

/** Returns the value; throws on a failure. */
export const right = <A>(either: Either<unknown, A>): A => {
  if (isLeft(either)) throw new Error(`failed: ${JSON.stringify(either.left)}`)
  return either.right
}

/** Returns the failure; null on success. */
export const failureOf = <M extends Either<unknown, unknown>>(
  either: M,
): Extract<M, { readonly _tag: 'Left' }>['left'] | null => (isLeft(either) ? either.left : null)

/** Returns the failures among outcomes. */
export const failuresOf = (outcomes: readonly Either<unknown, unknown>[]) =>
  outcomes.map(failureOf).filter((failure) => failure !== null)

/** Returns the wrong fields of a failure, each as its path and code. */
export const wrongIn = (outcome: Either<Failure, unknown>): readonly string[] =>
  isLeft(outcome) && outcome.left.tag === 'invalid'
    ? outcome.left.issues.map(({ path, code }) => `${path} ${code}`)
    : []

/** Summarises the result of a command: its value, converted by `told`, the wrong fields, or the failure code. */
export const inShort = <V>(answer: Either<Failure, V>, told: (value: V) => string = () => 'done'): string =>
  isLeft(answer) ? wrongIn(answer).join() || answer.left.code : told(answer.right)

/** The failure for taken values of these fields. */
export const taken = (...paths: readonly string[]) => ({
  tag: 'invalid',
  code: 'fields',
  issues: paths.map((path) => ({ path, code: `${path}.taken` })),
})

/** Returns one field of each record. */
export const column = <R, K extends keyof R>(records: readonly R[], field: K): readonly R[K][] =>
  records.map((each) => each[field])

/** Returns some fields of each record. */
export const columns = <R, K extends keyof R>(records: readonly R[], ...fields: readonly K[]): readonly R[K][][] =>
  records.map((each) => fields.map((field) => each[field]))
