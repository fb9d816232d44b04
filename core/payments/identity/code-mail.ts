/** What a verification mail says: the code stands alone on its line, for people and programs alike. */
export const verificationMail = (name: string, digits: string) => ({
  subject: 'Seu código de verificação',
  text: [
    `Olá, ${name}!`,
    '',
    'Use este código para confirmar seu e-mail:',
    '',
    digits,
    '',
    'Ele vale por 1 hora e só pode ser usado uma vez.',
    'Se você não criou uma conta, ignore esta mensagem.',
  ].join('\n'),
})
