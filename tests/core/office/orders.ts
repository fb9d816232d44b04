import { failure, left, right } from '../../../core/failure.ts'
import { type Collection, eq, insert, patch, t } from '../../../core/kernel/records/record.ts'
import {
  accept,
  finishOperation,
  operationUseCase,
  readUseCase,
  startOperation,
  useCase,
  useCaseOf,
} from '../../../core/kernel/running/use-case.ts'
import { facadeOf } from '../../../core/office/facade.ts'
import { keysPart } from '../../../core/office/idempotency-keys.ts'
import { byId, listOf } from '../../../core/ports/store.ts'
import { openEstate } from './estate.ts'

const order = t.strict({
  id: t.number,
  accountId: t.number,
  text: t.string,
  secret: t.string,
  state: t.keyof({ placed: null, paying: null, paid: null, refused: null }),
})

type Order = t.TypeOf<typeof order>

export const orders: Collection<Order> = {
  name: 'shop.orders',
  ids: 'integer',
  codec: order,
  owner: 'accountId',
}

interface InAccount {
  readonly accountId: number
}

const nothing = () => null

/** A small business: orders are placed, paid through a bank, and read. */
export const ordersShop = () => {
  const { ports, clock, every } = openEstate([orders, ...keysPart.collections])
  const bank = {
    asked: [] as string[],
    answer: async (): Promise<'paid' | 'refused'> => 'paid',
  }

  const place = ({ accountId }: InAccount, text: string) =>
    useCase(ports, nothing, (_, fresh) => {
      if (text === '') return left(failure('refused', 'order.empty'))
      const placed: Order = { id: fresh.id(orders), accountId, text, secret: fresh.uuid(), state: 'placed' }
      return accept(placed, insert(orders, placed))
    })

  const finish = (asking: string) => (intent: string) =>
    useCaseOf<Order>()(async (hooks) => {
      bank.asked.push(`${asking} ${intent}`)
      const state = await bank.answer()
      return finishOperation(
        ports,
        (from) => from.find(byId(orders, Number(intent))),
        (found) => {
          if (!found) return left(failure('not-found', 'order.unknown'))
          const changes = [patch(orders, found.id, { set: { state }, when: eq('state', 'paying') })]
          const told = state === 'paid' ? right({ ...found, state }) : left(failure('refused', 'bank.refused'))
          return accept(told, ...(found.state === 'paying' ? changes : []))
        },
      )(hooks)
    })

  const members = {
    orders: {
      place,
      pay: ({ accountId }: InAccount, text: string) =>
        operationUseCase(
          startOperation(ports, nothing, (_, fresh) => {
            const begun: Order = { id: fresh.id(orders), accountId, text, secret: fresh.uuid(), state: 'paying' }
            return accept({ intent: String(begun.id) }, insert(orders, begun))
          }),
          ({ intent }) => finish('first')(intent),
          finish('again'),
        ),
      /** An order of a user. */
      own: ({ userId }: { readonly userId: number }, text: string) => place({ accountId: -userId }, text),
      count: ({ accountId }: InAccount) =>
        useCase(
          ports,
          (from) => from.list(listOf(orders, { where: eq('accountId', accountId), limit: 100 })),
          ({ records }) => accept(records.length),
        ),
      /** An order of the bearer of a record's token. */
      bearing: ({ id }: { readonly id: string; readonly token: string | null }, text: string) =>
        place({ accountId: id.length }, text),
      /** An order without an actor. */
      strangers: (text: string) => place({ accountId: 0 }, text),
      read: (_actor: InAccount, id: number) => readUseCase('order.unknown', () => ports.store.find(byId(orders, id))),
      list: (_actor: InAccount) => async () => right([1, 2, 3]),
      /** Returns a value that JSON does not preserve. */
      withBytes: ({ accountId }: InAccount, bytes: Uint8Array) =>
        useCase(ports, nothing, (_, fresh) => {
          const placed: Order = { id: fresh.id(orders), accountId, text: '', secret: '', state: 'placed' }
          return accept({ bytes }, insert(orders, placed))
        }),
    },
    returns: { place },
  }

  return { ports, clock, bank, every, shop: facadeOf('shop', ports, members), members }
}
