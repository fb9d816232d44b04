const payer = { name: 'Maria da Silva', document: '12345678909', bank: null, branch: null, account: null }
const exampleTold = {
  txid: 'A1b2C3d4E5f6G7h8I9j0K1l2M',
  endtoend: 'E0118152120301121130500123456789',
  payer,
  receiver: null,
}
/** A Pix that was received. */
export const transactionExample = {
  id: 1,
  datetime: '2030-11-21T10:05:09-03:00',
  description: 'Mensalidade de novembro',
  value: 150.5,
  balance: 150.5,
  type: { id: 1, slug: 'pix-in', name: 'Pix In' },
  status: { id: 1, title: 'Confirmado' },
  ...exampleTold,
  metadata: exampleTold,
}

export const typeExample = transactionExample.type
