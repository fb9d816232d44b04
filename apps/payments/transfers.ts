import { newTransfer } from '../../core/payments/transfers/send.ts'
import { type Transfer, transferView } from '../../core/payments/transfers/transfer.ts'
import { json } from '../http/replies/json-reply.ts'
import { route } from './api.ts'
import { nameAmountValue, ONLY_ACTIVE } from './withdrawals/pay-out.ts'

const DONE = 'Transferência Realizada com sucesso via Pix (Isenta de Taxas).'
const UNANSWERED = 'O banco ainda não respondeu: a transferência é concluída assim que ele responder.'

const isPending = ({ status }: Transfer): boolean => status === 'pending'

/** The transfer to another account of the platform. Until the bank answers, the reply is 202. */
export const transferRow = route({
  name: 'transfers.send',
  area: 'Transferências',
  summary: 'Transfere por Pix, sem tarifa, para outra conta da plataforma no mesmo banco',
  methods: ['POST'],
  paths: ['/transfers/internal'],
  dialect: 'envelope',
  auth: 'account',
  permission: 'withdrawals:write',
  // The body is validated before the status of the organization is checked, as for withdrawals.
  stages: ['context', 'permission', 'key', 'input', 'accountWritable', 'record', 'precondition'],
  input: { body: newTransfer },
  run: ({ core, actor }, { body }) => nameAmountValue(core.transfers.send(actor, body)),
  resume: ({ core }, intent) => core.transfers.resume(intent),
  reply: json<Transfer>({
    view: transferView,
    status: (transfer) => (isPending(transfer) ? 202 : 200),
    others: [202],
    message: (transfer) => (isPending(transfer) ? UNANSWERED : DONE),
  }),
  errors: {
    'account.unknown': {},
    'organization.inactive': ONLY_ACTIVE,
    'bank.unsupported': {},
    'second-factor.required': {},
    'transfer.source-bank': {},
    'transfer.self': {},
    'transfer.destination-inactive': {},
    'transfer.destination-bank': {},
    'transfer.no-key': {},
    'transfer.repeated': {},
    'transfer.balance': {},
    'transfer.unknown': {},
    'bank.refused': { status: 400, message: '{reason}' },
    'bank.unavailable': { status: 500 },
  },
  example: {
    given: 'transferrer',
    request: {
      body: { token: 'q7Yw2Lr9Tn4Kd8Vb3Xc6Zm1Hs5Gj0Pf7Aq2We9Rt', amount: 150.5, description: 'Repasse de novembro' },
    },
    data: { txid: 'A1b2C3d4E5f6G7h8I9j0K1l2M', amount: 150.5, status: 'REALIZED' },
    message: DONE,
  },
})
