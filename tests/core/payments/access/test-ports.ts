import { setClock } from '../../../../adapters/clock/set-clock.ts'
import { aesCipher, digest } from '../../../../adapters/crypto/cipher.ts'
import { seededRandom } from '../../../../adapters/crypto/random.ts'
import { jwtTokens } from '../../../../adapters/crypto/tokens.ts'
import { memoryFiles } from '../../../../adapters/files/memory-files.ts'
import {
  memoryMailer,
  memoryMessenger,
  memorySender,
  memoryTenantMailer,
} from '../../../../adapters/memory/memory-services.ts'
import { type MemoryOptions, memoryStore } from '../../../../adapters/memory/memory-store.ts'
import { etaEmailRenderer } from '../../../../adapters/messaging/eta-email-renderer.ts'
import { sheetWriter } from '../../../../adapters/sheets/sheet-writer.ts'
import { memoryLog } from '../../../../adapters/telemetry/log.ts'
import { type Either, type Failure, isLeft } from '../../../../core/failure.ts'
import {
  type AnyCollection,
  always,
  type Collection,
  newRecord,
  type Rec,
} from '../../../../core/kernel/records/record.ts'
import { type IdPool, idPool } from '../../../../core/kernel/running/ids.ts'
import { freshOf } from '../../../../core/kernel/running/use-case.ts'
import { plainText } from '../../../../core/office/mail.ts'
import { authenticate, type Caller } from '../../../../core/payments/access/authenticate.ts'
import { register } from '../../../../core/payments/access/register.ts'
import type { SignInResult } from '../../../../core/payments/access/session.ts'
import { type Account, accounts, NEW_SETTINGS } from '../../../../core/payments/accounts/account.ts'
import type { Membership } from '../../../../core/payments/members/membership.ts'
import { mails, templateOf } from '../../../../core/payments/office.ts'
import { paymentsCollections } from '../../../../core/payments/payments.ts'
import type { PaymentsPorts } from '../../../../core/payments/payments-ports.ts'
import type { Bank, BankAnswer, OpenedAccount } from '../../../../core/ports/bank.ts'
import type { Hasher } from '../../../../core/ports/identity.ts'
import type { Find, Group, List, Store } from '../../../../core/ports/store.ts'

export const NOW = '2026-11-21T13:05:09.123Z'
export const ORIGIN = { address: '203.0.113.7', device: null }
export const PASSWORD = 'correto e longo'

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

/** A bank that answers account openings from a script, and with `done` and new numbers after its end. */
export const scriptedBank = () => {
  const script: BankAnswer<OpenedAccount>[] = []
  const asked: { readonly reference: string; readonly name: string; readonly document: string }[] = []
  const never = async (): Promise<never> => {
    throw new Error('not called in these tests')
  }
  const bank: Bank = {
    compe: '748',
    can: ['open-account', 'pix', 'boleto', 'bolepix'],
    txidLength: 25,
    openAccount: async (order) => {
      asked.push(order)
      const value = { agency: '0001', account: `${asked.length}0-1`, pixKey: order.reference }
      return script.shift() ?? { outcome: 'done', value }
    },
    createTitle: never,
    findTitle: never,
    cancelTitle: never,
  }
  return { bank, script, asked }
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

/** Reads all records of a collection of a store. */
export const everyOf =
  (store: Store) =>
  async <R extends Rec>(from: Collection<R>): Promise<R[]> => {
    const found: R[] = []
    for await (const record of store.scan(from, always)) found.push(record)
    return found
  }

/** The ports of payments on a store in memory, with a fixed clock and seeded random numbers. */
export const testPorts = (options: MemoryOptions = {}, more: readonly AnyCollection[] = []) =>
  testPortsOn(memoryStore([...paymentsCollections, ...more], options))

export const testPortsOn = (plain: Store) => {
  const { store, reads } = counted(plain)
  const clock = setClock(NOW)
  const random = seededRandom(7)
  const { hasher, compared } = cheapHasher()
  const { bank, script, asked } = scriptedBank()
  const ports: PaymentsPorts = {
    store,
    clock,
    random,
    ids: idPool(store),
    bank,
    acquirer: null,
    cipher: aesCipher(new Uint8Array(32).fill(1)),
    digest,
    hasher,
    tokens: jwtTokens(new Uint8Array(32).fill(2)),
    mailer: memoryMailer(),
    files: memoryFiles(),
    tenantMailer: memoryTenantMailer(),
    messenger: memoryMessenger(),
    emailRenderer: etaEmailRenderer,
    qrRenderer: { qrPng: async () => new Uint8Array() },
    invoiceRenderer: { invoicePdf: async () => new Uint8Array() },
    sheetWriter,
    statementRenderer: {
      statementPdf: async () => new Uint8Array(),
      chargeListPdf: async () => new Uint8Array(),
      receiptPdf: async () => new Uint8Array(),
    },
    personalDataRenderer: { personalDataPdf: async () => new Uint8Array() },
    webhooks: memorySender(),
    log: memoryLog(),
    settings: {
      publicUrl: 'http://127.0.0.1:3000',
      resetHosts: ['localhost'],
      isProduction: false,
      alertsAt: '07:00',
      boletoSearchCode: null,
      internalTransferBank: '748',
    },
  }
  const every = everyOf(store)
  const authenticated = authenticate(ports)
  return {
    ports,
    clock,
    compared,
    reads,
    bank: { script, asked },
    every,
    /** The draws of a decision under test; ids start at 101. */
    fresh: () => freshOf({ ...ports, ids: idsFrom(101) }).fresh,
    /** The texts of the mails queued for an address. */
    mailsTo: async (email: string) =>
      (await every(mails)).filter(({ to }) => to === email).map((mail) => plainText(templateOf(ports.cipher, mail))),
    /** Registers a person and authenticates with their token. */
    registerPerson: async (email: string): Promise<{ readonly signedIn: SignInResult; readonly caller: Caller }> => {
      const person = { name: 'Maria', email, password: PASSWORD, phone: null }
      const signedIn = right(await register(ports)(person, ORIGIN)())
      return { signedIn, caller: right(await authenticated(signedIn.accessToken)()) }
    },
    /** Authenticates again, with the present memberships. */
    again: async (token: string): Promise<Caller> => right(await authenticated(token)()),
  }
}

/** The ports, and Maria, who is registered and signed in. */
export const withPerson = async () => {
  const here = testPorts()
  return { ...here, ...(await here.registerPerson('maria@example.com')) }
}

/** Returns the value; throws on a failure. */
export const right = <A>(either: Either<unknown, A>): A => {
  if (isLeft(either)) throw new Error(`failed: ${JSON.stringify(either.left)}`)
  return either.right
}

/** Returns the failures among outcomes. */
export const failuresOf = (outcomes: readonly Either<unknown, unknown>[]) =>
  outcomes.map(failureOf).filter((failure) => failure !== null)

/** Returns one field of each record. */
export const column = <R, K extends keyof R>(records: readonly R[], field: K): readonly R[K][] =>
  records.map((each) => each[field])

/** The failure for taken values of these fields. */
export const taken = (...paths: readonly string[]) => ({
  tag: 'invalid',
  code: 'fields',
  issues: paths.map((path) => ({ path, code: `${path}.taken` })),
})

/** Returns the wrong fields of a failure, each as its path and code. */
export const wrongIn = (outcome: Either<Failure, unknown>): readonly string[] =>
  isLeft(outcome) && outcome.left.tag === 'invalid'
    ? outcome.left.issues.map(({ path, code }) => `${path} ${code}`)
    : []

/** Returns kind and collection of each change, without those of the audit. */
export const kindsOf = (changes: readonly { readonly kind: string; readonly at: readonly unknown[] }[]) =>
  changes.map(({ kind, at }) => `${kind} ${at[0]}`).filter((each) => !each.includes('payments.audit'))

/** Returns the failure; null on success. */
export const failureOf = <M extends Either<unknown, unknown>>(
  either: M,
): Extract<M, { readonly _tag: 'Left' }>['left'] | null => (isLeft(either) ? either.left : null)

export const aMembership = (over: Partial<Membership> = {}): Membership => ({
  id: 1,
  userId: 1,
  accountId: 1,
  roleId: 1,
  status: 1,
  search: '',
  createdAt: NOW,
  updatedAt: NOW,
  ...over,
})

export const anAccount = (over: Partial<Account> = {}): Account =>
  newRecord(accounts, {
    id: 1,
    uuid: '00000000-0000-4000-8000-000000000001',
    codeAccount: 'A1',
    name: 'Padaria',
    document: '11222333000181',
    status: 'ACTIVE',
    agency: '0001',
    account: '10-1',
    bankCode: '748',
    apiKeySealed: '',
    webhookSecretSealed: '',
    ...NEW_SETTINGS,
    admins: 1,
    createdAt: NOW,
    updatedAt: NOW,
    ...over,
  })
