import { type FakeAcquirerConsole, fakeAcquirerConsole } from '../../adapters/bank/fake/acquirer.ts'
import { FAULT_MODES, OPERATIONS, type PayOut } from '../../adapters/bank/fake/books.ts'
import { type FakeBankConsole, fakeBankConsole } from '../../adapters/bank/fake/console.ts'
import type { NoticeResult, NotifiedPayment } from '../../adapters/bank/fake/notifications.ts'
import { endToEndIdsIn, pixApiWebhookEndpoint } from '../../adapters/bank/pix-api/mod.ts'
import { right } from '../../core/failure.ts'
import {
  field,
  input,
  inQuery,
  integer,
  line,
  money,
  nullable,
  nullIfAbsent,
  object,
  oneOf,
  output,
  taxId,
  text,
  timestamp,
  view,
  viewEach,
  withDefault,
} from '../../core/kernel/input/mod.ts'
import { readUseCase } from '../../core/kernel/running/use-case.ts'
import { parseId } from '../../core/kernel/values/text.ts'
import { terms } from '../../core/payments/accounts/change-account.ts'
import type { Payments } from '../../core/payments/payments.ts'
import type { BankOptions } from '../bank/open-bank.ts'
import { json } from '../http/replies/json-reply.ts'
import { empty, text as textReply } from '../http/replies/raw-reply.ts'
import type { AnyRow } from '../http/rows/row.ts'
import { originOf, route } from './api.ts'

const MAX_FAULTS = 1_000
const END_TO_END_ID = /^E[0-9A-Z]{8}\d{12}[0-9A-Za-z]{11}$/

/** The longest Pix code (BCB, API Pix, `pixCopiaECola`). */
const MAX_PIX_CODE = 512

const txid = text({
  max: MAX_PIX_CODE,
  about: 'Identificador do Pix ou boleto, ou o que se copia dele: código Pix, linha digitável ou código de barras',
})

const payer = input('FakePayer', {
  name: line({ max: 255, about: 'Nome' }),
  document: taxId({ about: 'CPF ou CNPJ, guardado sem pontuação' }),
})

const payment = input('FakePayment', {
  txid,
  valueCents: nullIfAbsent(money({ wire: 'value', minCents: 1, about: 'Valor; sem ele, o que é devido' })),
  method: nullIfAbsent(
    oneOf(['pix', 'boleto'], {
      about: 'Como paga um bolepix; sem ele, por boleto se dado pelos números dele, senão por Pix',
    }),
  ),
  endToEndId: nullIfAbsent(
    text({ max: 32, pattern: { regex: END_TO_END_ID, code: 'end-to-end-id' }, about: 'endToEndId do pagamento' }),
  ),
  payer: nullIfAbsent(object(payer, { about: 'Quem paga' })),
})

const fault = input('FakeFault', {
  id: oneOf(OPERATIONS, { wire: 'operation', about: 'Operação que falha' }),
  mode: oneOf(FAULT_MODES, { about: 'Como falha' }),
  times: withDefault(integer({ min: 1, max: MAX_FAULTS, about: 'Quantas vezes' }), 1),
})

const cancellation = input('FakeCancellation', { txid })

const cardOutcome = input('FakeCardOutcome', {
  code: text({ max: 35, about: 'Código da cobrança' }),
  outcome: oneOf(['approve', 'decline'], { about: 'O que o adquirente decide' }),
})

const fakeBankRow = { area: 'Banco de mentira', dialect: 'bare', auth: 'public', methods: ['POST'] } as const

const STATUSES = { taken: 'confirmed', refused: 'refused', 'not yet': 'pending' } as const satisfies Record<
  NoticeResult,
  string
>

const paidView = view(
  'FakePaid',
  {
    endToEndId: output.text({ about: 'endToEndId do pagamento' }),
    status: oneOf(Object.values(STATUSES), { about: 'O que a plataforma fez dele' }),
  },
  ({ endToEndId, notice }: NotifiedPayment) => ({ endToEndId, status: STATUSES[notice] }),
)

const payRow = (console: FakeBankConsole): AnyRow =>
  route({
    ...fakeBankRow,
    name: 'fake-bank.pay',
    summary: 'O banco do pagador paga um Pix ou boleto',
    paths: ['/fake-bank/payments'],
    input: { body: payment },
    run: (_call, { body: order }) => console.pay(order),
    reply: json({ view: paidView }),
    errors: { 'title.unknown': {} },
    example: {
      given: 'publicCharge',
      request: { body: { txid: 'A1b2C3d4E5f6G7h8I9j0K1l2M' } },
      data: { end_to_end_id: 'E0118152120301121130500123456789', status: 'confirmed' },
    },
  })

const failRow = (console: FakeBankConsole): AnyRow =>
  route({
    ...fakeBankRow,
    name: 'fake-bank.fail',
    summary: 'As próximas operações do banco falham',
    paths: ['/fake-bank/faults'],
    input: { body: fault },
    run: (_call, { body }) => console.fail(body),
    reply: empty(),
    example: { request: { body: { operation: 'create_pix', mode: 'refuse' } } },
  })

const cancelRow = (console: FakeBankConsole): AnyRow =>
  route({
    ...fakeBankRow,
    name: 'fake-bank.cancel',
    summary: 'O banco cancela um título em aberto',
    paths: ['/fake-bank/cancellations'],
    input: { body: cancellation },
    run: (_call, { body: { txid } }) => console.cancel(txid),
    reply: empty(),
    errors: { 'title.unknown': {} },
    example: { given: 'publicCharge', request: { body: { txid: 'A1b2C3d4E5f6G7h8I9j0K1l2M' } } },
  })

const termsRow = route({
  ...fakeBankRow,
  name: 'fake-bank.set-terms',
  summary: 'O banco define tarifas, limites, código e chave Pix de uma conta',
  methods: ['PUT'],
  paths: ['/fake-bank/accounts/:id'],
  record: ({ request }) => readUseCase('account.unknown', async () => parseId(request.params.id ?? '')),
  input: { body: terms },
  run: ({ core, record, request }, { body: sent }) => core.accounts.setTerms(record, sent, originOf(request)),
  reply: empty(),
  errors: { 'account.unknown': {} },
  example: { given: 'account', request: { params: { id: '1' }, body: { taxes: { pix_in: 0.99 } } } },
})

const cardRow = (console: FakeAcquirerConsole): AnyRow =>
  route({
    ...fakeBankRow,
    name: 'fake-bank.decide-card',
    summary: 'O adquirente decide um cartão que ficou pendente',
    paths: ['/fake-bank/cards'],
    input: { body: cardOutcome },
    run: (_call, { body: outcome }) => console.decide(outcome),
    reply: empty(),
    errors: { 'charge.unknown': {} },
    example: { given: 'pendingCard', request: { body: { code: 'kVh2aQ0mZr8TgW5xYc3LdP', outcome: 'approve' } } },
  })

const payOutFilter = input('FakePayOutFilter', {
  txid: inQuery.text({ max: 35, about: 'Identificador do Pix enviado; sem ele, os últimos' }),
})

const payOutView = view(
  'FakePayOut',
  {
    txid: output.text({ about: 'Identificador do Pix enviado' }),
    endToEndId: output.text({ about: 'endToEndId do Pix' }),
    valueCents: output.money({ wire: 'value', about: 'Valor' }),
    key: nullable(output.text({ about: 'Chave Pix; nula em um Pix por dados bancários' })),
    at: timestamp({ about: 'Quando saiu' }),
  },
  ({ id, paidAt, ...rest }: PayOut) => ({ ...rest, txid: id, at: paidAt }),
)

const payOutsRow = (console: FakeBankConsole): AnyRow =>
  route({
    ...fakeBankRow,
    name: 'fake-bank.payouts',
    summary: 'O que o banco de fato pagou',
    methods: ['GET'],
    paths: ['/fake-bank/payouts'],
    input: { query: payOutFilter },
    run: (_call, { query }) => console.payOuts(query.txid),
    reply: json({ view: viewEach(payOutView) }),
    example: {
      given: 'withdrawn',
      request: { query: { txid: 'A1b2C3d4E5f6G7h8I9j0K1l2M' } },
      data: [
        {
          txid: 'A1b2C3d4E5f6G7h8I9j0K1l2M',
          end_to_end_id: 'E0118152120301121130500123456789',
          value: 10,
          key: 'maria@example.com',
          at: '2030-11-21T10:05:09-03:00',
        },
      ],
    },
  })

/** The console of the embedded bank, for trial and tests, without a token. */
export const fakeBankRows = (console: FakeBankConsole, acquirer: FakeAcquirerConsole): readonly AnyRow[] => [
  payRow(console),
  failRow(console),
  cancelRow(console),
  cardRow(acquirer),
  payOutsRow(console),
  termsRow,
]

/** Reads the ids only; the payments are then requested from the bank, so that a forged notification has no effect. */
const receivedPix = field<readonly string[]>(
  {
    name: 'list',
    schema: { type: 'array', items: { type: 'object' } },
    is: (value): value is readonly string[] => Array.isArray(value),
    read: (list) => right(endToEndIdsIn(list)),
  },
  { about: 'Os Pix recebidos' },
)

/** A bank tests the address with an empty body. */
const pixNotice = input('PixApiNotice', { pix: nullIfAbsent(receivedPix) })

/**
 * The webhook endpoint of a bank for received Pix. The bank appends `/pix` to the registered address (BCB, API Pix,
 * Webhook). A wrong secret gets 404.
 */
const pixApiRows = (
  receive: ReturnType<typeof pixApiWebhookEndpoint>,
  isSecret: (sent: string) => boolean,
): readonly AnyRow[] => [
  route({
    area: 'Banco',
    dialect: 'bare',
    auth: 'public',
    name: 'pix-api.notify',
    summary: 'O banco conta que chegaram Pix; o servidor pergunta ao banco antes de acreditar',
    methods: ['POST'],
    paths: ['/pix-api/:secret/pix'],
    parameters: { secret: 'O segredo do endereço que o banco conhece' },
    record: ({ request }) =>
      readUseCase('route.unknown', async () => (isSecret(request.params.secret ?? '') ? true : null)),
    input: { body: pixNotice },
    run: (_call, { body: { pix } }) => receive(pix ?? []),
    reply: textReply({ view: () => 'ok' }),
    example: {
      request: {
        params: { secret: 'c2VncmVkbw' },
        body: { pix: [{ endToEndId: 'E0118152120261123130500123456789', valor: '150.50' }] },
      },
      data: 'ok',
    },
  }),
]

/** Returns the rows of the configured bank: the console of the embedded one, the webhook endpoint of the API Pix. */
export const bankRows = ({ ports, bank, cards }: Payments, { fakeBankConsole: console, pixApiSecret }: BankOptions) => {
  const { digest } = ports
  const rows: readonly AnyRow[] = [
    ...(console ? fakeBankRows(fakeBankConsole(ports, bank), fakeAcquirerConsole(ports, cards)) : []),
    ...(pixApiSecret === undefined
      ? []
      : pixApiRows(pixApiWebhookEndpoint(ports), (sent) => digest.equal(sent, pixApiSecret))),
  ]
  return rows
}
