import { t } from '../../../core/fp.ts'
import { out } from '../../../core/kernel/input/outputs.ts'
import { PAYMENT_METHODS } from '../../../core/payments/charges/charge.ts'

/** A charge as `chargeView` shows it. */
export const chargeFields = {
  id: out.id,
  code: t.string,
  value: out.reais,
  amount_paid: out.nullable(out.reais),
  payment_date: out.nullable(out.day),
  status: t.type({ id: out.id, title: t.string, description: t.string }),
  description: out.nullable(t.string),
  payment_method: out.oneOf(PAYMENT_METHODS),
  due_date: out.day,
  client: t.type({ id: out.id, name: t.string, email: out.nullable(t.string), document: out.nullable(t.string) }),
  pix: out.nullable(t.type({ txid: t.string, qrcode: out.nullable(t.string), status: t.string })),
  boleto: t.null,
  created_by: out.id,
  created_at: out.instant,
}

export const chargeShape = t.type(chargeFields)

/** An example of it, for the documentation. */
export const chargeExample = {
  id: 1,
  code: 'kVh2aQ0mZr8TgW5xYc3LdP',
  value: 150.5,
  amount_paid: null,
  payment_date: null,
  status: { id: 1, title: 'pending', description: 'Pendente' },
  description: 'Mensalidade de novembro',
  payment_method: 'PIX',
  due_date: '2030-11-30',
  client: { id: 1, name: 'Maria da Silva', email: 'maria@example.com', document: '12345678909' },
  pix: {
    txid: 'A1b2C3d4E5f6G7h8I9j0K1l2M',
    qrcode: '00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-426655440000…',
    status: 'pending',
  },
  boleto: null,
  created_by: 1,
  created_at: '2030-11-21T10:05:09-03:00',
}
