import { setClock } from '../../../../adapters/clock/set-clock.ts'
import { aesCipher, digest } from '../../../../adapters/crypto/cipher.ts'
import { seededRandom } from '../../../../adapters/crypto/random.ts'
import { memoryFiles } from '../../../../adapters/files/memory-files.ts'
import { type MemoryOptions, memoryStore } from '../../../../adapters/memory/memory-store.ts'
import { etaEmailRenderer } from '../../../../adapters/messaging/eta-email-renderer.ts'
import { memoryMailer, memoryMessenger, memoryTenantMailer } from '../../../../adapters/messaging/memory.ts'
import { sheetWriter } from '../../../../adapters/sheets/sheet-writer.ts'
import { memoryLog } from '../../../../adapters/telemetry/log.ts'
import { memorySender } from '../../../../adapters/webhooks/memory-sender.ts'
import { insert } from '../../../../core/kernel/records/change.ts'
import type { Json } from '../../../../core/kernel/records/record.ts'
import { always } from '../../../../core/kernel/records/where.ts'
import { freshOf, idPool } from '../../../../core/kernel/running/fresh.ts'
import type { JobRow, Sweep } from '../../../../core/kernel/running/jobs.ts'
import { type Account, accounts, UNSET_SETTINGS } from '../../../../core/payments/accounts/account.ts'
import { newSecrets } from '../../../../core/payments/accounts/account-secrets.ts'
import { type EventType, events, recordEvent } from '../../../../core/payments/events.ts'
import { payments, paymentsCollections } from '../../../../core/payments/payments.ts'
import type { PaymentsPorts } from '../../../../core/payments/payments-ports.ts'
import { deliveries } from '../../../../core/payments/webhooks/delivery.ts'
import { listOf, type Store } from '../../../../core/ports/store.ts'

export const START = '2026-11-21T12:00:00.000Z'

/** A port that these tests never call. */
const uncalled = <Port extends object>(): Port =>
  new Proxy({} as Port, {
    get: (_, name) => {
      throw new Error(`${String(name)} was called`)
    },
  })

export const storeOf = (options?: MemoryOptions): Store => memoryStore(paymentsCollections, options)

const CIPHER = aesCipher(new Uint8Array(32).fill(7))

/** The parts that all processes of an installation share. */
export interface Installation {
  readonly store: Store
  readonly clock: ReturnType<typeof setClock>
  readonly webhooks: PaymentsPorts['webhooks']
  readonly mailer: PaymentsPorts['mailer']
  readonly tenantMailer?: PaymentsPorts['tenantMailer']
  readonly messenger: PaymentsPorts['messenger']
}

export const installation = (parts: Partial<Installation> = {}) => ({
  store: storeOf(),
  clock: setClock(START),
  webhooks: memorySender(),
  mailer: memoryMailer(),
  messenger: memoryMessenger(),
  ...parts,
})

let seed = 0

export const portsOf = (of: Installation): PaymentsPorts => {
  seed += 1
  return {
    files: memoryFiles(),
    tenantMailer: memoryTenantMailer(),
    emailRenderer: etaEmailRenderer,
    log: memoryLog(),
    ...of,
    random: seededRandom(seed),
    ids: idPool(of.store),
    acquirer: null,
    invoiceRenderer: { invoicePdf: async () => new Uint8Array() },
    sheetWriter,
    statementRenderer: { statementPdf: async () => new Uint8Array(), receiptPdf: async () => new Uint8Array() },
    cipher: CIPHER,
    digest,
    settings: {
      publicUrl: 'https://portico.test',
      resetHosts: ['localhost'],
      isProduction: false,
      alertsAt: '07:00',
      boletoSearchCode: null,
      internalTransferBank: '748',
    },
    bank: uncalled(),
    hasher: uncalled(),
    tokens: uncalled(),
    qrRenderer: uncalled(),
  }
}

export interface Extras {
  readonly sweeps: readonly Sweep[]
  readonly jobs: readonly JobRow[]
}

/** One process of an installation. */
export const processOf = (of: Installation, extras: Partial<Extras> = {}) => {
  const reports: [unknown, string][] = []
  const pay = payments(portsOf(of))
  const worker = pay.worker({
    report: (error, at) => void reports.push([error, at]),
    parts: [{ sweeps: extras.sweeps ?? [], jobs: () => extras.jobs ?? [] }],
  })
  return { ports: pay.ports, worker, prepare: worker.prepare, reports }
}

export const freshIn = (ports: PaymentsPorts) => freshOf(ports).fresh

/** An account with its webhook URL. */
export const openAccount = async (
  ports: PaymentsPorts,
  id: number,
  fields: Partial<Account> = {},
): Promise<Account> => {
  const account: Account = {
    id,
    uuid: `00000000-0000-4000-8000-${String(id).padStart(12, '0')}`,
    codeAccount: `conta-${id}`,
    name: 'Loja',
    email: null,
    document: '',
    status: 'ACTIVE',
    agency: '0001',
    account: '1',
    bankCode: '748',
    pixKey: null,
    ...newSecrets(ports.cipher, freshIn(ports), id).sealed,
    ...UNSET_SETTINGS,
    admins: 1,
    removedAt: null,
    createdAt: START,
    updatedAt: START,
    ...fields,
  }
  await ports.store.commit([insert(accounts, account)])
  return account
}

export const happen = async (
  ports: PaymentsPorts,
  about: {
    readonly accountId: number
    readonly type?: EventType
    readonly urls?: readonly string[]
    readonly data?: Json
  },
): Promise<void> => {
  const { accountId, type = 'charge.paid', urls = [], data = { id: 1 } } = about
  const outcome = await ports.store.commit([recordEvent(freshIn(ports), type, { accountId, subjectId: 1, data, urls })])
  if (!outcome.ok) throw new Error('the event was not kept')
}

export const deliveriesIn = async (store: Store) =>
  (await store.list(listOf(deliveries, { where: always, limit: 10_000 }))).records

export const eventsIn = async (store: Store) =>
  (await store.list(listOf(events, { where: always, limit: 10_000 }))).records
