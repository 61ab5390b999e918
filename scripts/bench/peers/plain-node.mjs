// What one would write: pages of 500, JSON.parse, and a look at each pod.
import { text } from 'node:stream/consumers';
import { get, selected } from './request.mjs';

let found = 0;
let token = '';
do {
  const page = `limit=500${token && `&continue=${encodeURIComponent(token)}`}`;
  const response = await get(`/api/v1/pods?${selected}&${page}`, 'application/json');
  const { items, metadata } = JSON.parse(await text(response));
  for (const { status } of items) {
    const states = (status.containerStatuses ?? []).map(({ state }) => state);
    if (states.some(({ terminated }) => terminated) && states.some(({ running }) => running)) found++;
  }
  token = metadata.continue ?? '';
} while (token);
console.log(found);
process.exit();
