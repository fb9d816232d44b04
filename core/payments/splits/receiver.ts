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
import { type Collection, orNull, record, t } from '../../kernel/records/record.ts'

const MAX_NAME = 60
const MAX_CODE = 100
const MAX_ISSUERS = 100

/** The fields of a key that its account chooses. */
export const receiverFields = {
  name: line({ max: MAX_NAME, about: 'Nome, para quem recebe' }),
  issuers: withDefault(
    list(line({ max: MAX_CODE }), {
      max: MAX_ISSUERS,
      about: 'Contas que podem usar a chave, por seus `code_account`; vazio para qualquer uma',
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

/** The consent of an account to receive shares of other accounts' charges: the key that they name in their splits. */
export type SplitReceiver = t.TypeOf<typeof splitReceiver>

export const splitReceivers: Collection<SplitReceiver> = {
  name: 'payments.split-receivers',
  ids: 'integer',
  codec: splitReceiver,
  owner: 'accountId',
  keys: { key: ({ key }) => key },
  indexes: [{ sort: 'createdAt' }],
}

const promisedReceiver = record({
  /** The ids of both accounts: `<issuer>|<receiver>`. */
  id: t.string,
  /** The issuing account. */
  accountId: t.number,
})

/** The accounts to which an account promised a share. The first promise is confirmed as a withdrawal is. */
export const promisedReceivers: Collection<t.TypeOf<typeof promisedReceiver>> = {
  name: 'payments.promised-receivers',
  ids: 'text',
  codec: promisedReceiver,
  owner: 'accountId',
}

/** Builds the record of the first promise of an account to a receiver. */
export const promiseOf = (accountId: number, receiverId: number) => ({ id: `${accountId}|${receiverId}`, accountId })

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
