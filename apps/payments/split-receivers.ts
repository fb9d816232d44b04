import { newSplitReceiver, splitReceiverFilter, splitReceiverView } from '../../core/payments/splits/receiver.ts'
import type { SplitReceiver } from '../../core/payments/splits/split.ts'
import { json, page } from '../http/replies/json-reply.ts'
import type { AnyRow } from '../http/rows/row.ts'
import { type AccountCall, route, succeedWith } from './api.ts'

const receiverExample = {
  id: 1,
  key: 'split_kVh2aQ0mZr8TgW5xYc3LdPq7RtUe9WyS',
  name: 'Marketplace',
  issuers: [],
  status: 'active',
  revoked_at: null,
  created_by: 1,
  created_at: '2030-11-21T10:05:09-03:00',
}

const shared = { area: 'Split', dialect: 'v1', auth: 'organization' } as const
const paths = ['/v1/split-receivers']

const one = {
  ...shared,
  paths: ['/v1/split-receivers/:id'],
  record: ({ core, actor, request }: AccountCall) => core.splitReceivers.read(actor, request.params.id ?? ''),
} as const

const shown = (message: string, status = 200) =>
  json({ status, key: 'split_receiver', message, view: splitReceiverView })
const given = { given: 'splitReceiver', request: { params: { id: '1' } } } as const

/** The keys by which an account receives shares of the charges of other accounts. */
export const splitReceiverRows: readonly AnyRow[] = [
  route({
    ...shared,
    name: 'split-receivers.list',
    summary: 'Lista as chaves pelas quais a conta recebe partes de cobranças de outras',
    paths,
    input: { query: splitReceiverFilter },
    run: ({ core, actor }, { query }) => core.splitReceivers.list(actor, query),
    reply: page<SplitReceiver>({
      key: 'split_receivers',
      message: 'Chaves para receber split listadas com sucesso.',
      view: splitReceiverView,
    }),
    example: { given: 'splitReceiver', data: receiverExample },
  }),
  route({
    ...shared,
    name: 'split-receivers.create',
    summary: 'Aceita receber partes de cobranças de outras contas, e cria a chave para elas',
    methods: ['POST'],
    paths,
    permission: 'account:write',
    input: { body: newSplitReceiver },
    run: ({ core, actor }, { body }) => core.splitReceivers.create(actor, body),
    reply: shown('Chave para receber split criada com sucesso.', 201),
    example: { given: 'organization', request: { body: { name: 'Marketplace' } }, data: receiverExample },
  }),
  route({
    ...one,
    name: 'split-receivers.show',
    summary: 'Mostra uma chave para receber split',
    run: ({ record }) => succeedWith(record),
    reply: shown('Chave para receber split obtida com sucesso.'),
    errors: { 'split-receiver.unknown': {} },
    example: { ...given, data: receiverExample },
  }),
  route({
    ...one,
    name: 'split-receivers.revoke',
    summary: 'Revoga uma chave para receber split: novas cobranças não a aceitam, e as que existem mantêm a parte',
    methods: ['DELETE'],
    permission: 'account:write',
    run: ({ core, actor, record }) => core.splitReceivers.revoke(actor, record.id),
    reply: shown('Chave para receber split revogada com sucesso.'),
    errors: { 'split-receiver.unknown': {} },
    example: { ...given, data: { ...receiverExample, status: 'revoked', revoked_at: '2030-11-21T10:20:00-03:00' } },
  }),
]
