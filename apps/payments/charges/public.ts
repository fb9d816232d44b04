import {
  publicChargePayeeView,
  publicChargeView,
  publicCode,
  publicPixView,
} from '../../../core/payments/charges/read.ts'
import { json } from '../../http/replies/json-reply.ts'
import type { AnyRow } from '../../http/rows/row.ts'
import { publicPaths, route } from '../api.ts'
import { chargeExample } from './charge-example.ts'

const examplePix = { ...chargeExample.pix, image: 'data:image/png;base64,iVBORw0KGgo…' }
const exampleAccount = { name: 'Escola Aurora', email: 'financeiro@aurora.example', document: '11222333000181' }
const publicExample = { ...chargeExample, pix: examplePix }

/** Source: 02-billing.md, Public payer routes; decisions.md §9, Exposure. */
export const publicRows: readonly AnyRow[] = [
  route({
    name: 'public.charge',
    area: 'Pagador',
    summary: 'Mostra uma cobrança a quem vai pagá-la',
    methods: ['GET'],
    paths: publicPaths('/charge'),
    dialect: 'envelope',
    auth: 'public',
    input: { query: publicCode },
    run: ({ core }, { query: by }) => core.charges.readPublic(by),
    reply: json({ key: 'charge', view: publicChargePayeeView, message: 'Cobrança recuperada com sucesso.' }),
    errors: { 'charge.unknown': {} },
    example: {
      given: 'publicCharge',
      request: { query: { code: chargeExample.code } },
      reply: {
        code: 200,
        success: true,
        charge: { ...publicExample, account: { ...exampleAccount, path_logo: null } },
        message: 'Cobrança recuperada com sucesso.',
      },
    },
  }),
  route({
    name: 'public.charge-pix',
    area: 'Pagador',
    summary: 'Mostra o Pix de uma cobrança',
    methods: ['GET'],
    paths: publicPaths('/charge/pix'),
    dialect: 'envelope',
    auth: 'public',
    input: { query: publicCode },
    run: ({ core }, { query: by }) => core.charges.readPublic(by),
    reply: json({ view: publicChargeView, message: 'Pix da cobrança recuperado com sucesso.' }),
    errors: { 'charge.unknown': {} },
    example: {
      given: 'publicCharge',
      request: { query: { code: chargeExample.code } },
      reply: { code: 200, success: true, data: publicExample, message: 'Pix da cobrança recuperado com sucesso.' },
    },
  }),
  route({
    name: 'public.pix',
    area: 'Pagador',
    summary: 'Mostra um Pix pelo seu txid',
    methods: ['GET'],
    paths: publicPaths('/pix/:txid'),
    dialect: 'bare',
    auth: 'public',
    input: {},
    run: ({ core, request }) => core.charges.readPublic({ txid: request.params.txid ?? '' }),
    reply: json({ view: publicPixView }),
    errors: { 'charge.unknown': {} },
    example: {
      given: 'publicCharge',
      request: { params: { txid: examplePix.txid } },
      reply: { ...examplePix, value: chargeExample.value, account: exampleAccount },
    },
  }),
]
