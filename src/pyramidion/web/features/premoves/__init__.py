"""Premoves: answers given in advance."""
