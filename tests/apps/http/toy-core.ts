import { type Either, type Failure, failure, invalid, issue, left, right } from '../../../core/failure.ts'
import { always, type Collection, eq, insert, patch, remove, t } from '../../../core/kernel/records/record.ts'
import { idPool } from '../../../core/kernel/running/ids.ts'
import {
  accept,
  finishOperation,
  operationUseCase,
  type Runtime,
  readUseCase,
  startOperation,
  type UseCase,
  useCase,
} from '../../../core/kernel/running/use-case.ts'
import type { Clock, Random } from '../../../core/ports/runtime.ts'
import { byId, byKey, listOf, type Store } from '../../../core/ports/store.ts'

const note = t.strict({ id: t.number, owner: t.string, title: t.string, cents: t.number })
export type Note = t.TypeOf<typeof note>

const payment = t.strict({
  id: t.string,
  note: t.number,
  status: t.keyof({ started: null, paid: null, refused: null }),
})
type Payment = t.TypeOf<typeof payment>

export const notes: Collection<Note> = {
  name: 'toy.notes',
  ids: 'integer',
  codec: note,
  owner: 'owner',
  keys: { title: (record) => `${record.owner}|${record.title}` },
}

export const payments: Collection<Payment> = { name: 'toy.payments', ids: 'text', codec: payment, owner: null }

/** A bank whose answers the test sets. */
export interface ToyBank {
  answer: (intent: string) => Promise<'paid' | 'refused'>
  readonly calls: string[]
}

/** Holds a payment at the bank until `finish`; `requested` resolves when the bank is called. */
export const holdPayment = (bank: ToyBank) => {
  let finish = (): void => {}
  const requested = new Promise<void>((resolve) => {
    bank.answer = () => {
      resolve()
      return new Promise((answer) => {
        finish = () => answer('paid')
      })
    }
  })
  return { requested, finish: () => finish() }
}

export interface User {
  readonly name: string
  readonly role: 'admin' | 'viewer'
  readonly isSuspended: boolean
}

export interface ToyPorts {
  readonly store: Store
  readonly clock: Clock
  readonly random: Random
  readonly bank: ToyBank
}

export interface Paid {
  readonly id: string
  readonly status: string
}

const TAKEN = invalid([issue('title', 'title.taken')], 'title.taken')

/** A small business: notes that can be written, read, changed, removed and paid. */
export const toyCore = (ports: ToyPorts) => {
  const runtime: Runtime = { ...ports, ids: idPool(ports.store) }
  const { store, bank } = ports
  const reading =
    <V>(read: () => Promise<V>): UseCase<V> =>
    async () =>
      right(await read())

  const paid = (intent: string): UseCase<Paid> => {
    const outcome = async () => {
      const known = await store.find(byId(payments, intent))
      if (known && known.status !== 'started') return { status: known.status, isNew: false }
      bank.calls.push(intent)
      return { status: await bank.answer(intent), isNew: true }
    }
    return finishOperation(runtime, outcome, ({ status, isNew }) => {
      const changes = isNew ? [patch(payments, intent, { set: { status }, when: eq('status', 'started') })] : []
      const value: Either<Failure, Paid> =
        status === 'refused' ? left(failure('refused', 'bank.refused')) : right({ id: intent, status })
      return accept(value, ...changes)
    })
  }

  return {
    find: (owner: string, id: number) =>
      readUseCase('note.unknown', async () => {
        const found = await store.find(byId(notes, id))
        return found?.owner === owner ? found : null
      }),
    list: (owner: string, { page, perPage }: { readonly page: number; readonly perPage: number }) =>
      reading(async () => {
        const where = eq('owner', owner)
        const list = listOf(notes, { where, limit: perPage, offset: (page - 1) * perPage, total: true })
        const { records, total } = await store.list(list)
        return { records, total: total ?? 0, page, perPage }
      }),
    scan: (owner: string) => reading(async () => ({ all: store.scan(notes, eq('owner', owner)) })),
    add: (owner: string, input: { readonly title: string; readonly cents: number }) =>
      useCase(
        runtime,
        (from) => from.find(byKey(notes, 'title', `${owner}|${input.title}`)),
        (known, fresh) => {
          if (known) return left(TAKEN)
          const record = { id: fresh.id(notes), owner, ...input }
          return accept<Note>(record, insert(notes, record))
        },
      ),
    change: (record: Note, cents: number) =>
      useCase(
        runtime,
        () => null,
        () => accept<Note>({ ...record, cents }, patch(notes, record.id, { set: { cents }, when: always })),
      ),
    remove: (record: Note) =>
      useCase(
        runtime,
        () => null,
        () => accept(null, remove(notes, record.id, always)),
      ),
    pay: (record: Note) =>
      operationUseCase(
        startOperation(
          runtime,
          () => null,
          (_, fresh) => {
            const intent: Payment = { id: fresh.uuid(), note: record.id, status: 'started' }
            return accept({ intent: intent.id }, insert(payments, intent))
          },
        ),
        ({ intent }) => paid(intent),
        paid,
      ),
    paid,
  }
}

export type ToyCore = ReturnType<typeof toyCore>
