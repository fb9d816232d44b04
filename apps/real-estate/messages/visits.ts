import type { Part } from './codes.ts'

/** What is told of visits. Source: 03-real-estate.md, Visits; decisions.md §10. */
export const visitMessages = {
  failures: {
    'visit.unknown': { status: 404, message: 'Visita não encontrada.' },
    'visit.closed': { status: 422, message: 'A visita já foi feita ou cancelada.' },
    'visit.move': { status: 422, message: 'A visita não pode passar para esta situação.' },
    'visit.checkin-missing': {
      status: 422,
      message: 'A visita só pode ser concluída com a chegada do corretor registrada (checkinDone).',
    },
  },
  issues: {},
} satisfies Part

/** What is told of the calendars of brokers. */
export const calendarMessages = {
  failures: {
    'calendar.unknown': { status: 404, message: 'Agenda não encontrada.' },
    'calendar.brokerless': { status: 422, message: 'Não há um corretor com o seu e-mail.' },
    'calendar.not-own': { status: 403, message: 'Cada corretor só abre a própria agenda.' },
  },
  issues: {},
} satisfies Part
