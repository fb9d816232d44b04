import { FAULT_MODES, OPERATIONS } from '../../../adapters/bank/fake/books.ts'
import type { FakeBankConsole, Heard, Paid } from '../../../adapters/bank/fake/console.ts'
import { t } from '../../../core/fp.ts'
import { body, object } from '../../../core/kernel/input/body.ts'
import { nullIfAbsent, withDefault } from '../../../core/kernel/input/codec.ts'
import { oneOf } from '../../../core/kernel/input/fields/choices.ts'
import { integer, reais } from '../../../core/kernel/input/fields/numbers.ts'
import { line, taxId, text } from '../../../core/kernel/input/fields/texts.ts'
import { recordId } from '../../../core/kernel/values/record-id.ts'
import { json } from '../../http/replies/json-reply.ts'
import { empty } from '../../http/replies/raw-reply.ts'
import type { AnyRow } from '../../http/rows/row.ts'
import { route } from '../api.ts'
import { originOf } from '../origin.ts'
import { termsBody, termsOf } from './terms-body.ts'

const MAX_FAULTS = 1_000
const END_TO_END_ID = /^E[0-9A-Z]{8}\d{12}[0-9A-Za-z]{11}$/

const paymentBody = body({
  txid: text({ max: 35 }),
  value: nullIfAbsent(reais({ minCents: 1 })),
  method: withDefault(oneOf(['pix', 'boleto']), 'pix'),
  end_to_end_id: nullIfAbsent(text({ max: 32, pattern: { regex: END_TO_END_ID, code: 'end-to-end-id' } })),
  payer: nullIfAbsent(object(body({ name: line({ max: 255 }), document: taxId() }))),
})

const faultBody = body({
  operation: oneOf(OPERATIONS),
  mode: oneOf(FAULT_MODES),
  times: withDefault(integer({ min: 1, max: MAX_FAULTS }), 1),
})

const about = { area: 'Banco de mentira', dialect: 'bare', auth: 'public' } as const

const STATUSES: Readonly<Record<Heard, string>> = { taken: 'confirmed', refused: 'refused', 'not yet': 'pending' }

const payRow = (console: FakeBankConsole): AnyRow =>
  route({
    ...about,
    name: 'fake-bank.pay',
    summary: 'O banco do pagador paga um Pix ou boleto',
    methods: ['POST'],
    paths: ['/fake-bank/payments'],
    input: { body: paymentBody },
    output: t.type({ end_to_end_id: t.string, status: t.string }),
    run:
      (_call, { body: { txid, value, end_to_end_id, payer } }) =>
      (hooks) =>
        console.pay({ txid, valueCents: value, endToEndId: end_to_end_id, payer }, hooks),
    reply: json({
      view: ({ endToEndId, heard }: Paid) => ({
        end_to_end_id: endToEndId,
        status: STATUSES[heard],
      }),
    }),
    example: {
      given: 'publicCharge',
      request: { body: { txid: 'A1b2C3d4E5f6G7h8I9j0K1l2M' } },
      reply: { end_to_end_id: 'E0118152120301121130500123456789', status: 'confirmed' },
    },
  })

const failRow = (console: FakeBankConsole): AnyRow =>
  route({
    ...about,
    name: 'fake-bank.fail',
    summary: 'As próximas operações do banco falham',
    methods: ['POST'],
    paths: ['/fake-bank/faults'],
    input: { body: faultBody },
    output: t.null,
    run:
      (_call, { body: { operation, mode, times } }) =>
      (hooks) =>
        console.fail({ id: operation, mode, times }, hooks),
    reply: empty(),
    example: { request: { body: { operation: 'create_pix', mode: 'refuse' } }, reply: null },
  })

const cancelRow = (console: FakeBankConsole): AnyRow =>
  route({
    ...about,
    name: 'fake-bank.cancel',
    summary: 'O banco cancela um título em aberto',
    methods: ['POST'],
    paths: ['/fake-bank/cancellations'],
    input: { body: body({ txid: text({ max: 35 }) }) },
    output: t.null,
    run:
      (_call, { body: { txid } }) =>
      (hooks) =>
        console.cancel(txid, hooks),
    reply: empty(),
    example: {
      given: 'publicCharge',
      request: { body: { txid: 'A1b2C3d4E5f6G7h8I9j0K1l2M' } },
      reply: null,
    },
  })

const termsRow = route({
  ...about,
  name: 'fake-bank.set-terms',
  summary: 'O banco define tarifas, limites, código e chave Pix de uma conta',
  methods: ['PUT'],
  paths: ['/fake-bank/accounts/:id'],
  record: async ({ request }) => recordId(request.params.id ?? ''),
  input: { body: termsBody },
  output: t.null,
  run: ({ core, record, request }, { body: terms }) =>
    core.accounts.setTerms(record, termsOf(terms), originOf(request)),
  reply: empty(),
  example: { given: 'account', request: { params: { id: '1' }, body: { taxes: { pix_in: 0.99 } } }, reply: null },
})

/** The console of the embedded bank, for trying and testing; it needs no token. Source: decisions.md §8. */
export const fakeBankRows = (console: FakeBankConsole): readonly AnyRow[] => [
  payRow(console),
  failRow(console),
  cancelRow(console),
  termsRow,
]
