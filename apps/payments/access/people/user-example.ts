/** A user as `userView` shows it, for the documentation. */
export const userExample = {
  id: 1,
  name: 'Maria da Silva',
  email: 'maria@example.com',
  phone: '+55 11 99999-0000',
  email_verified_at: null,
}

/** The same as somebody sends it. */
export const newUserExample = {
  name: 'Maria da Silva',
  email: 'maria@example.com',
  password: 'correto e longo',
  password_confirmation: 'correto e longo',
  phone: '+55 11 99999-0000',
}
