import { right } from '../../../core/fp.ts'
import { instantPixFilter, newInstantPix } from '../../../core/payments/instant-pix/instant-pix.ts'
import { json } from '../../http/replies/json-reply.ts'
import { text } from '../../http/replies/raw-reply.ts'
import type { AnyRow } from '../../http/rows/row.ts'
import { route } from '../api.ts'
import { eitherView, knownView, madeReply, openCodeReply } from './instant-pix-views.ts'

const about = { area: 'Pagamento instantâneo (legado)', dialect: 'instant', auth: 'account' } as const

const example = {
  id: 1,
  txid: 'A1b2C3d4E5f6G7h8I9j0K1l2M',
  value: 150.5,
  qrcode: '00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-426655440000…',
  created_at: '2030-11-21T10:05:09-03:00',
  image: 'data:image/png;base64,iVBORw0KGgo…',
}
const { id: _, ...knownExample } = example

/** Source: 02-billing.md, Legacy instant-payment module. */
export const instantPixRows: readonly AnyRow[] = [
  route({
    ...about,
    name: 'instant-pix.ok',
    summary: 'Um texto que diz que o módulo responde',
    methods: ['GET'],
    paths: ['/legacypay'],
    permission: 'charges:read',
    input: {},
    run: () => async () => right(null),
    reply: text({ view: () => 'quickpay' }),
    example: { given: 'account', reply: 'quickpay' },
  }),
  route({
    ...about,
    name: 'instant-pix.create',
    summary: 'Cria um Pix que vence hoje',
    methods: ['POST'],
    paths: ['/legacypay/pix/create', '/legacypay/pix/qrcode', '/legacypay/pix/qrcode-fixo'],
    permission: 'charges:write',
    input: { body: newInstantPix },
    run: ({ core, actor }, { body }) => core.instantPix.issue(actor, body),
    resume: ({ core }, intent) => core.instantPix.resume(intent),
    reply: json({ status: 201, view: madeReply }),
    errors: {
      'account.unknown': {},
      'organization.inactive': {},
      'charge.unknown': {},
      'bank.unsupported': {},
      'card.unsupported': {},
      'bank.unavailable': { status: 500 },
      'bank.refused': { status: 500 },
    },
    example: {
      given: 'account',
      request: {
        body: { amount: 150.5, name: 'Maria da Silva', email: 'maria@example.com', document: '123.456.789-09' },
      },
      reply: { success: true, pix: example },
    },
  }),
  route({
    ...about,
    name: 'instant-pix.list',
    summary: 'Lista os Pix da conta, do mais novo ao mais antigo; com txid ou id, mostra um só',
    methods: ['GET'],
    paths: ['/legacypay/pix/list'],
    permission: 'charges:read',
    input: { query: instantPixFilter },
    run: ({ core, actor }, { query }) => core.instantPix.list(actor, query),
    reply: json({ view: eitherView }),
    errors: { 'instant-pix.unknown': {} },
    example: {
      given: 'pendingCharge',
      reply: {
        data: [{ ...example, status: 'pending' }],
        current_page: 1,
        last_page: 1,
        per_page: 15,
        total: 1,
      },
    },
  }),
  route({
    ...about,
    name: 'instant-pix.open-code',
    summary: 'Dá o código Pix da conta em que quem paga escolhe o valor',
    methods: ['GET'],
    paths: ['/legacypay/pix/image'],
    permission: 'charges:read',
    input: {},
    run: ({ core, actor }) => core.instantPix.openCode(actor),
    reply: json({ view: openCodeReply }),
    errors: { 'account.unknown': {}, 'bank.unsupported': {} },
    example: {
      given: 'account',
      reply: { success: true, data: { payload: example.qrcode } },
    },
  }),
  route({
    ...about,
    name: 'instant-pix.show',
    summary: 'Mostra um Pix, pelo seu txid',
    methods: ['GET'],
    paths: ['/legacypay/pix/:txid'],
    permission: 'charges:read',
    input: {},
    run: ({ core, actor, request }) => core.instantPix.read(actor, request.params.txid ?? ''),
    reply: json({ view: knownView }),
    errors: { 'instant-pix.unknown': {} },
    example: {
      given: 'pendingCharge',
      request: { params: { txid: example.txid } },
      reply: {
        ...knownExample,
        status: 'pending',
        updated_at: example.created_at,
        name: 'Maria da Silva',
        email: 'maria@example.com',
        document: '12345678909',
      },
    },
  }),
]
