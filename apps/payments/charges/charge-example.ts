/** A charge as it is shown, for the documentation. */
export const chargeExample = {
  id: 1,
  code: 'kVh2aQ0mZr8TgW5xYc3LdP',
  url: 'https://pay.example.com/pay/charge/kVh2aQ0mZr8TgW5xYc3LdP',
  value: 150.5,
  amount_paid: null,
  refunded_value: null,
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

/** A paid charge, a part of which was returned. */
export const refundedExample = {
  ...chargeExample,
  amount_paid: 150.5,
  refunded_value: 50,
  payment_date: '2030-11-21',
  status: { id: 2, title: 'paid', description: 'Pago' },
  pix: { ...chargeExample.pix, status: 'paid' },
}

/** The refund of that part. */
export const refundExample = {
  id: 'kVh2aQ0mZr8TgW5xYc3LdPq7RtUe9WyS',
  end_to_end_id: 'E0118152120301121130500123456789',
  value: 50,
  reason: 'Desistência',
  status: 'completed',
  return_id: 'D0118152120301121130500123456789',
  created_at: '2030-11-21T10:05:09-03:00',
  completed_at: '2030-11-21T10:05:09-03:00',
}

/** Its boleto, where it is paid by one. */
export const issuedBoletoExample = {
  txid: 'B2c3D4e5F6g7H8i9J0k1L2m3N',
  nosso_numero: '302000019',
  barcode: '74895310700000150501130200001901010112345101',
  digitableLine: '74891130220000190101601123451013531070000015050',
  status: 'issued',
  pathPDF: 'https://pagamentos.example.com/storage/boletos/boleto_B2c3D4e5F6g7H8i9J0k1L2m3N.pdf',
}
