import { t } from '../../../core/fp.ts'
import { required } from '../../../core/kernel/input/codec.ts'
import { out } from '../../../core/kernel/input/outputs.ts'
import { inQuery, query } from '../../../core/kernel/input/query.ts'
import { chargeView, pixStatus } from '../../../core/payments/charges/charge-view.ts'
import type { PublicCharge } from '../../../core/payments/charges/read-charge.ts'
import { json } from '../../http/replies/json-reply.ts'
import type { AnyRow } from '../../http/rows/row.ts'
import { route } from '../api.ts'
import { chargeExample, chargeFields } from './charge-shape.ts'

/** Every public route also stands below `/api`. */
const publicPaths = (path: string) => [`/public${path}`, `/api/public${path}`]

const PNG = 'data:image/png;base64,'

const accountFields = { name: t.string, email: out.nullable(t.string), document: t.string }
const pixWithImage = t.type({ txid: t.string, qrcode: t.string, status: t.string, image: t.string })
const publicCharge = { ...chargeFields, pix: out.nullable(pixWithImage) }

const imageOf = ({ qrPng }: PublicCharge): string | null => qrPng && PNG + Buffer.from(qrPng).toString('base64')

const accountView = ({ account: { name, email, document } }: PublicCharge) => ({ name, email, document })

const publicView = (found: PublicCharge) => {
  const { pix, ...rest } = chargeView(found)
  return { ...rest, pix: pix && { ...pix, image: imageOf(found) } }
}

const byCode = query({ code: required(inQuery.text()) })

const examplePix = { ...chargeExample.pix, image: `${PNG}iVBORw0KGgo…` }
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
    input: { query: byCode },
    output: t.type({ ...publicCharge, account: t.type({ ...accountFields, path_logo: out.nullable(t.string) }) }),
    run: ({ core }, { query: { code } }) => core.charges.readPublic({ code }),
    reply: json({
      key: 'charge',
      view: (found: PublicCharge) => ({
        ...publicView(found),
        account: { ...accountView(found), path_logo: found.logoUrl },
      }),
      message: 'Cobrança recuperada com sucesso.',
    }),
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
    input: { query: byCode },
    output: t.type(publicCharge),
    run: ({ core }, { query: { code } }) => core.charges.readPublic({ code }),
    reply: json({ view: publicView, message: 'Pix da cobrança recuperado com sucesso.' }),
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
    output: t.type({
      txid: t.string,
      qrcode: out.nullable(t.string),
      image: out.nullable(t.string),
      status: t.string,
      value: out.reais,
      account: t.type(accountFields),
    }),
    run: ({ core, request }) => core.charges.readPublic({ txid: request.params.txid ?? '' }),
    reply: json({
      view: (found: PublicCharge) => {
        const { pix, value } = chargeView(found)
        const { txid } = found.charge
        const { qrcode = null } = pix ?? {}
        return { txid, qrcode, image: imageOf(found), status: pixStatus(found), value, account: accountView(found) }
      },
    }),
    example: {
      given: 'publicCharge',
      request: { params: { txid: examplePix.txid } },
      reply: { ...examplePix, value: chargeExample.value, account: exampleAccount },
    },
  }),
]
