/** A client as somebody sends it. */
export const clientSent = {
  name: 'Ana Souza',
  email: 'ana@example.com',
  phone: '11 98888-0000',
  document: '529.982.247-25',
  type: 'individual',
  gender: 'female',
  birthdate: '1990-02-28',
  metadata: { origem: 'loja' },
}

/** The same as it is shown. */
export const clientExample = {
  id: 1,
  code: 'kVh2aQ0mZr8TgW5xYc3LdP',
  ...clientSent,
  document: '52998224725',
  status: 'ACTIVE',
  address: null,
  created_at: '2030-11-21T10:05:09-03:00',
  updated_at: '2030-11-21T10:05:09-03:00',
}
