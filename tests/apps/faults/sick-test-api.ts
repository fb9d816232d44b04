import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { ExecutionContext } from 'ava'
import { fakeBank } from '../../../adapters/bank/fake/bank.ts'
import { type Database, openDatabase } from '../../../adapters/sqlite/connection.ts'
import { sqliteStore } from '../../../adapters/sqlite/store.ts'
import type { Host } from '../../../apps/host/host.ts'
import type { Bank } from '../../../core/ports/bank.ts'
import { someFile } from '../../adapters/sqlite/file.ts'
import { bundleOf } from '../../bundle.ts'
import { openTestApi, type TestApi } from '../payments/test-api.ts'

/** Short, so that who waits in vain is told soon. */
const BUSY_WAIT_MS = 30
const PLENTY_OF_PAGES = 1_000_000_000
const HOLDER = 'tests/apps/faults/holder.ts'

export interface Sickness {
  begin(): Promise<void>
  end(): Promise<void>
}

export const SICKNESSES = ['a full disk', 'a file that may only be read', 'a file that another process holds'] as const
export type SicknessName = (typeof SICKNESSES)[number]

export interface SickTestApi extends TestApi {
  readonly sickness: Sickness
  /** The calls to the bank: the operation and the platform's id. */
  readonly asked: readonly (readonly [operation: string, txid: string])[]
  /** Has the sickness begin as soon as the bank has done what it is asked next, before that is recorded here. */
  beginAfterBank(): void
}

/** A process of its own that holds the file when it is told to. */
const holderOf = (t: ExecutionContext, path: string): Sickness => {
  let child: ChildProcess | null = null
  const tell = async (word: string): Promise<void> => {
    child ??= spawn(process.execPath, [await bundleOf(HOLDER), path], { stdio: ['pipe', 'pipe', 'inherit'] })
    const { stdin, stdout } = child
    if (!stdin || !stdout) throw new Error('the holder has no pipes')
    const lines = createInterface({ input: stdout })
    const done = new Promise<void>((resolve) => lines.once('line', () => resolve()))
    stdin.write(`${word}\n`)
    await done
    lines.close()
  }
  t.teardown(() => child?.kill('SIGKILL'))
  return { begin: () => tell('hold'), end: () => tell('let go') }
}

/** The payments app on a SQLite file, and one way in which the file fails it. */
export const sickTestApi = async (t: ExecutionContext, name: SicknessName): Promise<SickTestApi> => {
  const { path, remove } = await someFile()
  let database: Database | null = null
  const say = async (sql: string) => (database as Database | null)?.prepare(sql).get()
  const openFile = async (file: string): Promise<Database> => {
    database = await openDatabase(file)
    return database
  }
  const sicknesses: Readonly<Record<SicknessName, () => Sickness>> = {
    'a full disk': () => ({
      begin: async () => {
        const pages = Number((await say('PRAGMA page_count'))?.page_count)
        await say(`PRAGMA max_page_count = ${pages}`)
      },
      end: async () => void (await say(`PRAGMA max_page_count = ${PLENTY_OF_PAGES}`)),
    }),
    'a file that may only be read': () => ({
      begin: async () => void (await say('PRAGMA query_only = 1')),
      end: async () => void (await say('PRAGMA query_only = 0')),
    }),
    'a file that another process holds': () => holderOf(t, path),
  }
  t.teardown(remove)
  const sickness = sicknesses[name]()
  const asked: [string, string][] = []
  let isNext = false
  const watched = ({ store, ids, clock, random }: Host): { readonly bank: Bank } => {
    const bank = fakeBank({ store, ids, clock, random })
    const { payOuts, refunds } = bank
    if (!payOuts || !refunds) throw new Error('the embedded bank has money leave')
    /** Does what the bank is asked for, and may be the last that the store bears. */
    const orders = async <T>(operation: string, id: string, does: () => Promise<T>): Promise<T> => {
      asked.push([operation, id])
      const answer = await does()
      if (isNext) await sickness.begin()
      isNext = false
      return answer
    }
    const finds = <T>(id: string, does: () => Promise<T>): Promise<T> => {
      asked.push(['find', id])
      return does()
    }
    return {
      bank: {
        ...bank,
        createTitle: (order) => orders('create', order.txid, () => bank.createTitle(order)),
        findTitle: (txid) => finds(txid, () => bank.findTitle(txid)),
        payOuts: {
          ...payOuts,
          payOut: (order) => orders('pay out', order.id, () => payOuts.payOut(order)),
          findPayOut: (id) => finds(id, () => payOuts.findPayOut(id)),
        },
        refunds: {
          refund: (order) => orders('give back', order.id, () => refunds.refund(order)),
          findRefund: (order) => finds(order.id, () => refunds.findRefund(order)),
        },
      },
    }
  }
  const api = await openTestApi(t, {
    instead: watched,
    open: (_url, collections) => sqliteStore(path, collections, { open: openFile, busyWaitMs: BUSY_WAIT_MS }),
  })
  const beginAfterBank = () => {
    isNext = true
  }
  return { ...api, sickness, asked, beginAfterBank }
}
