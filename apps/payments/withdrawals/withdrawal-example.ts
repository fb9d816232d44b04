/** A withdrawal as the API shows it. */
export const withdrawalExample = {
  id: 1,
  txid: 'A1b2C3d4E5f6G7h8I9j0K1l2M',
  endtoendid: 'E0118152120301121130500123456789',
  value: 10,
  status: { value: 'concluido', title: 'Pago', description: 'Transferência concluída' },
  name: 'Maria da Silva',
  document: '***.456.789-**',
  key_pix: 'maria@example.com',
  bank_code: '341',
  branch: '0001',
  account_number: '12345-6',
  account_type: 'CORRENTE',
  message: null,
  created_at: '2030-11-21T10:05:09-03:00',
}

/** What the bank has answered. */
export const answerExample = {
  end_to_end_id: withdrawalExample.endtoendid,
  paid_at: '2030-11-21T13:05:09.123Z',
  receiver: {
    name: withdrawalExample.name,
    document: withdrawalExample.document,
    ispb: '60701190',
    branch: withdrawalExample.branch,
    account: withdrawalExample.account_number,
    account_type: withdrawalExample.account_type,
  },
}

export const recipientExample = {
  id: 1,
  account_id: 1,
  pix_key: 'maria@example.com',
  name: 'Maria da Silva',
  document: '***.456.789-**',
  bank_name: 'ITAÚ UNIBANCO S.A.',
  bank_code: '341',
  branch: '0001',
  account: '12345-6',
  account_type: 'CORRENTE',
  count: 1,
  last_used_at: '2030-11-21T10:05:09-03:00',
}

/** By the data of an account nothing is masked. */
export const accountWithdrawalExample = { ...withdrawalExample, document: '12345678909', key_pix: null }

export const accountPaymentExample = {
  amount: 10,
  bank_code: '341',
  agency: '0001',
  account: '12345-6',
  beneficiary_name: 'Maria da Silva',
  beneficiary_document: '123.456.789-09',
  pin: '135790',
}

export const DONE = 'Transferência Pix realizada com sucesso'
export const PENDING = 'Transferência Pix em processamento'
