import type { ComponentChild } from 'preact';
import { explainedAt, type Word } from '../glossary.ts';

/** What is said about something, linked to where the page explains it. */
export function Said({ word, text }: { readonly word: Word; readonly text: string }): ComponentChild {
  const id = explainedAt(word);
  return id === undefined ? text : <a href={`#${id}`}>{text}</a>;
}
