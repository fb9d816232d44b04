import test from 'ava'
import { memoryPorts } from '../../../../adapters/memory/memory-ports.ts'
import { isLeft } from '../../../../core/fp.ts'
import { payments } from '../../../../core/payments/payments.ts'

test('a program changes and deletes charges of the account that it names, and of no other', async (t) => {
  const pay = payments(memoryPorts())
  const open = async (document: string) => {
    const opened = await pay.openings.open({ userId: 1 }, { name: 'Escola', email: null, document })()
    return { userId: 1, accountId: isLeft(opened) ? 0 : opened.right.id }
  }
  const [own, other] = [await open('11222333000181'), await open('11444777000161')]
  const payer = { name: 'Maria', email: 'maria@example.com', document: '12345678909' }
  const order = { valueCents: 100, paymentMethod: 'PIX', dueDate: '2099-12-30', payer } as const
  const issued = await pay.charges.issue(own, order)()
  const id = isLeft(issued) ? 0 : issued.right.charge.id
  t.like(await pay.charges.update(other, id, { valueCents: 1 })(), { left: { code: 'charge.unknown' } })
  t.like(await pay.charges.delete(other, id)(), { left: { code: 'charge.unknown' } })
  t.like(await pay.charges.update(own, id, { valueCents: 200 })(), { right: { charge: { valueCents: 200 } } })
  t.like(await pay.charges.delete(own, id)(), { right: { charge: { status: 'DELETED' } } })
})
