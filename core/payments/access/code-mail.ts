import { code, type EmailTemplate, link, text } from '../../office/mail.ts'
import type { Block } from '../../ports/messaging.ts'
import { LONG } from './code-tries.ts'

const greeting = (name: string) => text(`Olá, ${name}!`)
const VALIDITY = 'Ele vale por 1 hora e só pode ser usado uma vez.'
const NOT_REQUESTED = 'Se você não pediu uma nova senha, ignore esta mensagem: a atual continua valendo.'

const LONG_CODE_NOTE = [
  'Houve muitas tentativas erradas com os códigos anteriores: por isso este é mais longo.',
  'Maiúsculas, minúsculas, espaços e hifens não fazem diferença.',
] as const

/** Returns the blocks that show a code, with a note on how to type a long one. */
export const codeBlocks = (typed: string): readonly Block[] =>
  typed.length === LONG.length ? [code(typed), text(...LONG_CODE_NOTE)] : [code(typed)]

export const verificationMail = (name: string, typed: string): EmailTemplate => ({
  subject: 'Seu código de verificação',
  blocks: [
    greeting(name),
    text('Use este código para confirmar seu e-mail:'),
    ...codeBlocks(typed),
    text(VALIDITY, 'Se você não criou uma conta, ignore esta mensagem.'),
  ],
})

export const recoveryMail = (name: string, typed: string): EmailTemplate => ({
  subject: 'Seu código de recuperação',
  blocks: [
    greeting(name),
    text('Use este código para criar uma nova senha:'),
    ...codeBlocks(typed),
    text(VALIDITY, NOT_REQUESTED),
  ],
})

export const passwordLinkMail = (name: string, url: string, typed: string): EmailTemplate => ({
  subject: 'Crie uma nova senha',
  blocks: [
    greeting(name),
    text('Para criar uma nova senha, abra este endereço:'),
    link('Criar nova senha', url),
    text('Ou use este código:'),
    ...codeBlocks(typed),
    text('Eles valem por 1 hora, e só um deles pode ser usado, uma vez.', NOT_REQUESTED),
  ],
})

export const verifiedMail = (name: string): EmailTemplate => ({
  subject: 'E-mail confirmado',
  blocks: [greeting(name), text('Seu e-mail foi confirmado. Obrigado!')],
})

const ENDED_SESSIONS = { all: 'todas as sessões', others: 'as outras sessões' } as const

/**
 * Notifies the former address of a new e-mail, which may be an attack; the new one is not named, as it may be foreign.
 */
export const emailChangedMail = (name: string): EmailTemplate => ({
  subject: 'Seu e-mail foi alterado',
  blocks: [
    greeting(name),
    text(
      'O e-mail do seu cadastro acabou de ser alterado.',
      'Este endereço já não serve para entrar nem para criar uma nova senha.',
      'Se não foi você nem quem administra a sua conta, fale conosco agora mesmo.',
    ),
  ],
})

/** Notifies the user of a new password, which may be an attack, and of the sessions that it ended. */
export const passwordChangedMail = (name: string, ended: keyof typeof ENDED_SESSIONS): EmailTemplate => ({
  subject: 'Sua senha foi alterada',
  blocks: [
    greeting(name),
    text(
      `Sua senha acabou de ser alterada e ${ENDED_SESSIONS[ended]} foram encerradas.`,
      'Se não foi você, peça uma nova senha agora mesmo e fale conosco.',
    ),
  ],
})
