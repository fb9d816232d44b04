import { failure, left } from '../../failure.ts'
import {
  type InputOf,
  id,
  input,
  line,
  list,
  nullable,
  oneOf,
  output,
  pageFields,
  storedTypes,
  timestamp,
  view,
  withDefault,
} from '../../kernel/input/mod.ts'
import { type Collection, eq, insert, orNull, patch, record, t } from '../../kernel/records/record.ts'
import { accept, type Fresh, randomCode, readUseCase, useCase, withValidInput } from '../../kernel/running/use-case.ts'
import { parseId } from '../../kernel/values/text.ts'
import { byId, listPage, type PageOf, type Store } from '../../ports/store.ts'
import { type AuditedAction, changesOf, recordAudit } from '../office.ts'
import { type Actor, accountQuery, type PaymentsPorts } from '../payments-ports.ts'

const MAX_NAME = 60
const MAX_CODE = 100
const MAX_ISSUERS = 100

/** The fields of a key to receive by that its account chooses. */
const receiverFields = {
  name: line({ max: MAX_NAME, about: 'Nome, para quem recebe' }),
  issuers: withDefault(
    list(line({ max: MAX_CODE }), {
      max: MAX_ISSUERS,
      about: 'Códigos das contas (`code_account`) que podem usar a chave; vazio para qualquer uma',
    }),
    [],
  ),
}

const splitReceiver = record({
  id: t.number,
  accountId: t.number,
  ...storedTypes(receiverFields),
  /** Random; it allows its holder to send money to the account and nothing else. */
  key: t.string,
  revokedAt: orNull(t.string),
  createdBy: t.number,
  createdAt: t.string,
})

/** The consent of an account to receive shares of the charges of other accounts: a key by which they name it. */
export type SplitReceiver = t.TypeOf<typeof splitReceiver>

export const splitReceivers: Collection<SplitReceiver> = {
  name: 'payments.split-receivers',
  ids: 'integer',
  codec: splitReceiver,
  owner: 'accountId',
  keys: { key: ({ key }) => key },
  indexes: [{ sort: 'createdAt' }],
}

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
        const receiver: SplitReceiver = {
          id: fresh.id(splitReceivers),
          accountId: actor.accountId,
          name,
          issuers: [...new Set(issuers)],
          key: `split_${randomCode(fresh, KEY_LENGTH)}`,
          revokedAt: null,
          createdBy: actor.userId,
          createdAt: fresh.now,
        }
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
) =>
  recordAudit(fresh, actor, {
    chain: `account:${accountId}`,
    action,
    subject: `split-receiver:${receiverId}`,
    ...(changes && { changes }),
  })

export const listSplitReceivers = accountQuery(
  splitReceiverFilter,
  ({ store }, accountId, page): Promise<PageOf<SplitReceiver>> =>
    listPage(store, splitReceivers, page, {
      where: eq('accountId', accountId),
      sort: { by: 'createdAt', dir: 'desc' },
    }),
)

const findReceiver = async (store: Store, { accountId }: Pick<Actor, 'accountId'>, receiverId: number) => {
  const receiver = await store.find(byId(splitReceivers, receiverId))
  return receiver?.accountId === accountId ? receiver : null
}

export const readSplitReceiver =
  ({ store }: Pick<PaymentsPorts, 'store'>) =>
  (actor: Pick<Actor, 'accountId'>, pathId: string) =>
    readUseCase('split-receiver.unknown', async () => {
      const receiverId = parseId(pathId)
      return receiverId === null ? null : findReceiver(store, actor, receiverId)
    })

const UNKNOWN_RECEIVER = failure('not-found', 'split-receiver.unknown')

export const revokeSplitReceiver = (ports: PaymentsPorts) => (actor: ReceiverActor, receiverId: number) =>
  useCase(
    ports,
    (store) => findReceiver(store, actor, receiverId),
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
