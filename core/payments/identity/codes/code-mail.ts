interface Letter {
  readonly subject: string
  readonly text: string
}

/** A mail around a code that stands alone on its line, for people and programs alike. */
const codeLetter = (subject: string, name: string, use: string, digits: string, otherwise: string): Letter => ({
  subject,
  text: [`Olá, ${name}!`, '', use, '', digits, '', 'Ele vale por 1 hora e só pode ser usado uma vez.', otherwise].join(
    '\n',
  ),
})

/** What a verification mail says. */
export const verificationMail = (name: string, digits: string): Letter =>
  codeLetter(
    'Seu código de verificação',
    name,
    'Use este código para confirmar seu e-mail:',
    digits,
    'Se você não criou uma conta, ignore esta mensagem.',
  )

/** What a recovery mail says. */
export const recoveryMail = (name: string, digits: string): Letter =>
  codeLetter(
    'Seu código de recuperação',
    name,
    'Use este código para criar uma nova senha:',
    digits,
    'Se você não pediu uma nova senha, ignore esta mensagem: a atual continua valendo.',
  )

/** What a recovery mail says that also leads somewhere. */
export const linkMail = (name: string, url: string, digits: string): Letter => ({
  subject: 'Crie uma nova senha',
  text: [
    `Olá, ${name}!`,
    '',
    'Para criar uma nova senha, abra este endereço:',
    '',
    url,
    '',
    'Ou use este código:',
    '',
    digits,
    '',
    'Eles valem por 1 hora, e só um deles pode ser usado, uma vez.',
    'Se você não pediu uma nova senha, ignore esta mensagem: a atual continua valendo.',
  ].join('\n'),
})

/** What somebody is told whose e-mail was confirmed. */
export const verifiedMail = (name: string): Letter => ({
  subject: 'E-mail confirmado',
  text: [`Olá, ${name}!`, '', 'Seu e-mail foi confirmado. Obrigado!'].join('\n'),
})

/** What somebody is told whose password was replaced: it may have been somebody else. */
export const passwordMail = (name: string): Letter => ({
  subject: 'Sua senha foi alterada',
  text: [
    `Olá, ${name}!`,
    '',
    'Sua senha acabou de ser alterada e todas as sessões foram encerradas.',
    'Se não foi você, peça uma nova senha agora mesmo e fale conosco.',
  ].join('\n'),
})
