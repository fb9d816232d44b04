import { failure, left } from '../../failure.ts'
import {
  type InputOf,
  id,
  input,
  nullable,
  oneOf,
  output,
  pageFields,
  timestamp,
  view,
} from '../../kernel/input/mod.ts'
import { eq, insert, newRecord, patch } from '../../kernel/records/record.ts'
import { accept, type Fresh, randomCode, useCase, withValidInput } from '../../kernel/running/use-case.ts'
import { parseId } from '../../kernel/values/text.ts'
import { listPage, NEWEST_FIRST, type PageOf } from '../../ports/store.ts'
import { type AuditedAction, auditInAccount, changesOf } from '../office.ts'
import { type Actor, accountQuery, accountRead, findOwn, type PaymentsPorts } from '../payments-ports.ts'
import { receiverFields, type SplitReceiver, splitReceivers } from './split.ts'

export const newSplitReceiver = input('NewSplitReceiver', receiverFields)
export type NewSplitReceiver = InputOf<typeof newSplitReceiver>

export const splitReceiverFilter = input('SplitReceiverFilter', pageFields)
export type SplitReceiverFilter = InputOf<typeof splitReceiverFilter>

export const splitReceiverView = view(
  'SplitReceiver',
  {
    id: id({ about: 'Identificador' }),
    key: output.text({ about: 'Chave que outra conta informa em `splits` para repassar uma parte das suas cobranças' }),
    ...receiverFields,
    status: oneOf(['active', 'revoked'], { about: 'Se a chave ainda vale para novas cobranças' }),
    revokedAt: nullable(timestamp({ about: 'Quando foi revogada' })),
    createdBy: id({ about: 'Quem a criou' }),
    createdAt: timestamp({ about: 'Criação' }),
  },
  (receiver: SplitReceiver) => ({
    ...receiver,
    status: receiver.revokedAt === null ? ('active' as const) : ('revoked' as const),
  }),
)

const KEY_LENGTH = 32

type ReceiverActor = Pick<Actor, 'userId' | 'accountId' | 'origin'>

export const createSplitReceiver = (ports: PaymentsPorts) => (actor: ReceiverActor, sent: NewSplitReceiver) =>
  withValidInput(ports, newSplitReceiver, sent, ({ name, issuers }) =>
    useCase(
      ports,
      async () => null,
      (_, fresh) => {
        const receiver = newRecord(splitReceivers, {
          id: fresh.id(splitReceivers),
          accountId: actor.accountId,
          name,
          issuers: [...new Set(issuers)],
          key: `split_${randomCode(fresh, KEY_LENGTH)}`,
          createdBy: actor.userId,
          createdAt: fresh.now,
        })
        const chosen = { name, issuers: receiver.issuers }
        return accept(
          receiver,
          insert(splitReceivers, receiver),
          ...auditReceiver(fresh, actor, receiver, 'split-receiver.created', changesOf({}, chosen)),
        )
      },
    ),
  )

const auditReceiver = (
  fresh: Fresh,
  actor: ReceiverActor,
  { id: receiverId, accountId }: SplitReceiver,
  action: AuditedAction,
  changes?: ReturnType<typeof changesOf>,
) => auditInAccount(fresh, actor, accountId, action, `split-receiver:${receiverId}`, changes)

export const listSplitReceivers = accountQuery(
  splitReceiverFilter,
  ({ store }, accountId, page): Promise<PageOf<SplitReceiver>> =>
    listPage(store, splitReceivers, page, { where: eq('accountId', accountId), sort: NEWEST_FIRST }),
)

export const readSplitReceiver = accountRead('split-receiver.unknown', ({ store }, accountId, pathId: string) =>
  findOwn(store, splitReceivers, accountId, parseId(pathId)),
)

const UNKNOWN_RECEIVER = failure('not-found', 'split-receiver.unknown')

export const revokeSplitReceiver = (ports: PaymentsPorts) => (actor: ReceiverActor, receiverId: number) =>
  useCase(
    ports,
    (store) => findOwn(store, splitReceivers, actor.accountId, receiverId),
    (receiver, fresh) => {
      if (!receiver) return left(UNKNOWN_RECEIVER)
      if (receiver.revokedAt !== null) return accept(receiver)
      const set = { revokedAt: fresh.now }
      return accept(
        { ...receiver, ...set },
        patch(splitReceivers, receiverId, { set, when: eq('revokedAt', null) }),
        ...auditReceiver(fresh, actor, receiver, 'split-receiver.revoked'),
      )
    },
  )
