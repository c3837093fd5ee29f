#!/bin/bash
# Make a greeting card.
echo "What is your name?"
read -r name
echo "Dear $name," > card.txt
