export const registrationStatusExample = {
  document: '52998224725',
  id: 1,
  email: 'maria@example.com',
  name: 'Maria da Silva',
  account_type: 'PF',
  account_status: 'PENDING_EMAIL',
}

export const registrationExample = {
  ...registrationStatusExample,
  address: 'Rua das Flores, 100, São Paulo, SP',
  created_at: '2030-11-21T10:05:09-03:00',
}
