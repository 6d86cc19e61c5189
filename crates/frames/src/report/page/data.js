// Data: the run, as the program that wrote this page found it. What stands here never changes; decisions do (decide.js).

const page = JSON.parse(document.getElementById('run').textContent);

const recordOf = new Map(page.records.map((record) => [record.name, record]));
