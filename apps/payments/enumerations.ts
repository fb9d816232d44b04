import { type AnyView, id, output, view, viewEach } from '../../core/kernel/input/mod.ts'
import { CHARGE_STATUSES, chargeStatusView } from '../../core/payments/charges/charge.ts'
import { bankFilter, bankView, enumerations } from '../../core/payments/enumerations.ts'
import { listedTransactionTypes } from '../../core/payments/ledger/ledger.ts'
import { LINK_STATUSES, linkStatusView } from '../../core/payments/links/link.ts'
import { transactionTypeView } from '../../core/payments/statements/views.ts'
import { json } from '../http/replies/json-reply.ts'
import type { AnyRow } from '../http/rows/row.ts'
import { route, succeedWith } from './api.ts'
import { dialects } from './dialects.ts'

const pathsOf = (path: string) => [`/enums/${path}`, `/api/enums/${path}`]

const shared = { area: 'Enumerações', auth: 'public' } as const

const word = output.text({ about: 'Valor' })
const number = output.count({ about: 'Valor' })
const name = output.text({ about: 'Nome' })
const title = output.text({ about: 'Título' })

export const paymentMethodView = view(
  'PaymentMethodName',
  { value: word, name },
  (of: { value: string; name: string }) => of,
)
const statusView = view('StatusName', { value: number, name }, (of: { value: number; name: string }) => of)
const titleView = view('TitledValue', { value: word, title }, (of: { value: string; title: string }) => of)
const clientStatusView = view(
  'ClientStatus',
  { id: id({ about: 'Identificador' }), title },
  (of: { id: number; title: string }) => of,
)
const withdrawStatusView = view(
  'WithdrawStatus',
  { value: word, title, description: output.text({ about: 'O que quer dizer' }) },
  (of: { value: string; title: string; description: string }) => of,
)

/** Returns the route of a table of values. */
const tableRow = <D>(path: string, summary: string, each: AnyView<D>, rows: readonly D[]): AnyRow =>
  route({
    ...shared,
    name: `enums.${path.replaceAll(/[/_]/g, '-')}`,
    summary,
    paths: pathsOf(path),
    dialect: 'bare',
    run: () => succeedWith(rows),
    reply: json({ view: viewEach(each) }),
    example: { data: viewEach(each).on(dialects.bare.side).encode(rows) },
  })

const { withdrawStatuses, ...lists } = enumerations

/** The enumerations, each also below `/api`. */
export const enumerationRows: readonly AnyRow[] = [
  tableRow('payment-method', 'Lista os meios de pagamento', paymentMethodView, lists.paymentMethods),
  tableRow('user-status', 'Lista as situações de um usuário', statusView, lists.userStatuses),
  tableRow('boleto-status', 'Lista as situações de um boleto', statusView, lists.boletoStatuses),
  tableRow('pix-status', 'Lista as situações de um Pix', statusView, lists.pixStatuses),
  tableRow('webhook-type', 'Lista os eventos que os webhooks contam', titleView, lists.webhookTypes),
  tableRow('webhook-status', 'Lista as situações de uma entrega de webhook', titleView, lists.webhookStatuses),
  tableRow('type-transactions', 'Lista os tipos de transação', transactionTypeView, listedTransactionTypes),
  tableRow('status-clients', 'Lista as situações de um cliente', clientStatusView, lists.clientStatuses),
  tableRow('charge-status', 'Lista as situações de uma cobrança', chargeStatusView, CHARGE_STATUSES),
  tableRow('status/payment_links', 'Lista as situações de um link de pagamento', linkStatusView, LINK_STATUSES),
  route({
    ...shared,
    name: 'enums.status-pix-withdraw',
    summary: 'Lista as situações de um saque por Pix',
    paths: pathsOf('status/pix-withdraw'),
    dialect: 'envelope',
    run: () => succeedWith(withdrawStatuses),
    reply: json({ view: viewEach(withdrawStatusView), message: 'Situações de saque listadas com sucesso.' }),
    example: { data: withdrawStatuses },
  }),
  route({
    ...shared,
    name: 'enums.banks',
    summary: 'Lista os bancos do Brasil, ou procura entre eles',
    paths: pathsOf('banks'),
    dialect: 'envelope',
    input: { query: bankFilter },
    run: ({ core }, { query: filter }) => core.enumerations.listBanks(filter),
    reply: json({ key: 'banks', view: viewEach(bankView), message: 'Bancos listados com sucesso.' }),
    example: {
      request: { query: { code: '748' } },
      data: [
        {
          id: 25,
          ispb: '01181521',
          code: '748',
          name: 'BCO COOPERATIVO SICREDI S.A.',
          full_name: 'BANCO COOPERATIVO SICREDI S.A.',
        },
      ],
    },
  }),
]
